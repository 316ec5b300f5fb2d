package dev.assay.work.compute;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The kinds of task. Both sides are of one build, so the words are free to change. */
@SuppressWarnings("ImmutableEnumChecker") // the makers hold no state
public enum TaskKind {
    CHECKS("check", CheckTask::performer),
    PATTERNS("input filter", PatternTask::performer),
    FILL("template", FillTask::performer),
    SCHEMA("schema of arguments", SchemaTask::performer),
    TOOL("tool", ToolTask::performer),
    ANSWER("place of an answer", AnswerTask::performer),
    DEFINITIONS("definition", DefinitionTask::performer),
    PREVIEW("preview", PreviewTask::performer);

    /** Every kind by its word. */
    public static final Map<String, TaskKind> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(TaskKind::name, kind -> kind));

    private final String noun;
    private final Performer.Maker maker;

    TaskKind(String noun, Performer.Maker maker) {
        this.noun = noun;
        this.maker = maker;
    }

    /** What people call one of its definitions. */
    public String noun() {
        return noun;
    }

    /** What makes the work of a task. */
    public Performer.Maker maker() {
        return maker;
    }
}

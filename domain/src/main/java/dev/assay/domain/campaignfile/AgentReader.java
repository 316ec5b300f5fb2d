package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The reader of the agent of a branch or judge: the fields that both have in common. */
final class AgentReader {

    /** The agent that is read where the kind is wrong, which was reported. */
    static final Agent STAND_IN = new Agent.Scripted(new Agent.Script(List.of(), Duration.ZERO, List.of(), null));

    private static final Map<String, Kind> KINDS = Arrays.stream(Kind.values())
            .collect(Collectors.toMap(Kind::word, kind -> kind, (a, b) -> a, LinkedHashMap::new));
    private static final Map<String, Thinking> THINKING = Arrays.stream(Thinking.values())
            .collect(Collectors.toMap(Thinking::word, thinking -> thinking, (a, b) -> a, LinkedHashMap::new));

    private final CassetteField cassettes;

    AgentReader(CassetteField cassettes) {
        this.cassettes = cassettes;
    }

    /** The kinds, with the fields that not all of them have. */
    enum Kind {
        MODEL("model"),
        REPLAY("replay"),
        SCRIPTED("scripted");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        List<String> own() {
            return switch (this) {
                case MODEL -> List.of("provider", "model", "thinking", "thinkingOptional", "parameters");
                case REPLAY -> List.of("provider", "model", "thinking", "thinkingOptional", "parameters", "cassette");
                case SCRIPTED -> List.of("script");
            };
        }

        String word() {
            return word;
        }
    }

    /** The fields of an agent that is nothing else. */
    static Fields fields(String name) {
        return Fields.of(
                name, "kind", "provider", "model", "thinking", "thinkingOptional", "parameters", "cassette", "script");
    }

    Agent read(FieldReader fields) {
        Kind kind = fields.word("kind", KINDS, Kind.MODEL);
        if (fields.isWrong("kind")) {
            return STAND_IN;
        }
        refuseForeign(kind, fields);
        return switch (kind) {
            case MODEL -> new Agent.Model(choice(fields));
            case REPLAY -> new Agent.Replay(choice(fields), cassettes.id(fields));
            case SCRIPTED -> new Agent.Scripted(ScriptReader.read(fields));
        };
    }

    /** Reports fields that only other kinds have: otherwise they would be lost silently. */
    private static void refuseForeign(Kind kind, FieldReader fields) {
        Arrays.stream(Kind.values())
                .flatMap(other -> other.own().stream())
                .distinct()
                .filter(name -> fields.has(name) && !kind.own().contains(name))
                .forEach(name -> fields.problem(name, foreign(name, kind)));
    }

    private static String foreign(String name, Kind kind) {
        String owners = Arrays.stream(Kind.values())
                .filter(other -> other.own().contains(name))
                .map(Kind::word)
                .collect(Collectors.joining(" or "));
        return "`" + name + "` belongs to kind " + owners + ", but the kind is " + kind.word
                + "; remove it or write another `kind`.";
    }

    private static ModelChoice choice(FieldReader fields) {
        return new ModelChoice(
                fields.line("provider", 128),
                fields.line("model", 256),
                thinking(fields),
                fields.flag("thinkingOptional", false),
                ParametersReader.read(fields));
    }

    /** YAML 1.1 reads an unquoted {@code off} as false, so false means off. For {@code on} there is no sensible meaning. */
    private static Thinking thinking(FieldReader fields) {
        JsonNode node = fields.node("thinking");
        if (node == null || (node.isBoolean() && !node.booleanValue())) {
            return Thinking.OFF;
        }
        Thinking thinking = node.isTextual() ? THINKING.get(node.textValue()) : null;
        if (thinking == null) {
            String known = String.join(", ", THINKING.keySet());
            fields.problem(
                    "thinking",
                    "`thinking` must be one of " + known + ", but is " + ActualValue.describe(node) + "; choose one.");
        }
        return thinking == null ? Thinking.OFF : thinking;
    }
}

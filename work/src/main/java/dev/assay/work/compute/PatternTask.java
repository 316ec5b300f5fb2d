package dev.assay.work.compute;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.InputFilter;
import java.util.List;

/** The search for patterns of input filters in one input. The answer says whether a pattern is found, or cannot be decided. */
public record PatternTask(List<String> patterns, String text) implements Task<Boolean> {

    public PatternTask {
        patterns = List.copyOf(patterns);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.PATTERNS;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return patterns.stream().map(NamedDefinition::of).toList();
    }

    @Override
    public String input() {
        return text;
    }

    @Override
    public Boolean answer(JsonNode said) {
        if (!said.isBoolean()) {
            throw new IllegalArgumentException("A truth value was expected");
        }
        return said.booleanValue();
    }

    static Performer performer(JsonNode input) {
        String text = input.textValue();
        return pattern -> InputFilter.matches(pattern.text(), text);
    }
}

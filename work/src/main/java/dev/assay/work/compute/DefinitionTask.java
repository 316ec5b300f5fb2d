package dev.assay.work.compute;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.json.Json;
import dev.assay.domain.pattern.GuardedPattern;
import dev.assay.domain.schema.ResponseSchema;
import dev.assay.domain.template.TemplateText;
import dev.assay.domain.tool.JsonPathQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The question whether definitions can be used. The answer is the problem, if there is one. */
public record DefinitionTask(List<Definition> asked) implements Task<Optional<String>> {

    private static final Duration CPU_AT_SUBMISSION = Duration.ofSeconds(2);

    public DefinitionTask {
        asked = List.copyOf(asked);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.DEFINITIONS;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return asked.stream().map(Json::write).map(NamedDefinition::of).toList();
    }

    @Override
    public String input() {
        return "";
    }

    @Override
    public Optional<String> answer(JsonNode said) {
        return said.isNull() ? Optional.empty() : Optional.of(Strict.text(said));
    }

    /** Whoever submits a document waits for it. */
    @Override
    public Duration cpu() {
        return CPU_AT_SUBMISSION;
    }

    static Performer performer(JsonNode input) {
        return sent -> {
            Definition definition = sent.read(Definition.class, text -> Json.read(text, Definition.class));
            return switch (definition.kind()) {
                case PATTERN -> GuardedPattern.problem(definition.text());
                case SCHEMA -> ResponseSchema.problem(Json.tree(definition.text()));
                case TEMPLATE -> TemplateText.problem(definition.text());
                case PATH -> JsonPathQuery.problem(definition.text());
            };
        };
    }
}

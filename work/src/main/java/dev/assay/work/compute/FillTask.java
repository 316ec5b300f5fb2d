package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.template.TemplateText;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Templates that are filled with the same vars.
 *
 * @param templateVars whether texts of vars are templates over the others
 */
public record FillTask(List<String> templates, Map<String, JsonNode> vars, boolean templateVars)
        implements Task<Answered> {

    /** The vars, and how they are read. */
    record Input(Map<String, JsonNode> vars, boolean templateVars) {}

    public FillTask {
        templates = List.copyOf(templates);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.FILL;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return templates.stream().map(NamedDefinition::of).toList();
    }

    @Override
    public Input input() {
        return new Input(vars, templateVars);
    }

    @Override
    public Answered answer(JsonNode said) throws JsonProcessingException {
        return Strict.read(said, Answered.class);
    }

    static Performer performer(JsonNode input) throws JsonProcessingException {
        Filler filler = new Filler(Json.mapper().treeToValue(input, Input.class));
        return template -> filler.fill(template.text());
    }

    /** Fills the vars at the first template: what they take is that template's. */
    private static final class Filler {

        private final Input input;
        private UnaryOperator<String> filled = text -> text;
        private boolean isReady;

        Filler(Input input) {
            this.input = input;
        }

        Answered fill(String template) {
            try {
                if (!isReady) {
                    filled = TemplateText.filler(input.vars, input.templateVars);
                    isReady = true;
                }
                return Answered.text(filled.apply(template));
            } catch (AssayException e) {
                return Answered.problem(e.failure().message());
            }
        }
    }
}

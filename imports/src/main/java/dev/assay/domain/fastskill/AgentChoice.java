package dev.assay.domain.fastskill;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agents that {@code --agent} names.
 *
 * @param key a template such as {@code codex}, or a program with its arguments
 * @param model what {@code --model} names; null: the agent's own choice
 */
public record AgentChoice(
        String key, List<String> command, @Nullable String model) {

    /** The place of the model in an argument. */
    private static final String MODEL = "{{model}}";

    public AgentChoice {
        command = List.copyOf(command);
    }

    /** A template, or {@code program} where there is no template of that name. */
    public static AgentChoice of(String key, List<String> program, @Nullable String model) {
        AgentTemplate template = AgentTemplate.byKey().get(key);
        return new AgentChoice(key, template == null ? withModel(program, model) : template.command(model), model);
    }

    private static List<String> withModel(List<String> program, @Nullable String model) {
        return model == null
                ? program
                : program.stream()
                        .map(argument -> argument.replace(MODEL, model))
                        .toList();
    }

    /** The program. */
    public String program() {
        return command.getFirst();
    }

    /** The branch's id where no other has it: the template, or the program without its directory. */
    String id() {
        String name = AgentTemplate.byKey().containsKey(key) ? key : program();
        String last = name.substring(name.lastIndexOf('/') + 1);
        return last.isBlank() ? "agent" : last;
    }

    /** The branch as campaign files have it. */
    ObjectNode branch(String id, String workspace, boolean required) {
        ObjectNode branch = JsonNodeFactory.instance.objectNode().put("id", id).put("kind", "command");
        command.forEach(branch.withArray("command")::add);
        branch.put("workspace", workspace);
        AgentTemplate template = AgentTemplate.byKey().get(key);
        if (template != null) {
            template.env().forEach(branch.withArray("env")::add);
        }
        branch.put("output", template == null ? "text" : template.output().word());
        return required ? branch : branch.put("failOnMissingAgent", false);
    }
}

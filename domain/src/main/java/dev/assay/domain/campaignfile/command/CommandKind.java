package dev.assay.domain.campaignfile.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.tool.CommandPaths;
import dev.assay.domain.trace.OutputFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kind of programs. */
public final class CommandKind implements AgentKind<Agent.Command> {

    /** The prefix of a stored workspace's name, before 64 hexadecimal digits. */
    public static final String WORKSPACE_PREFIX = "sha256:";

    private static final Pattern WORKSPACE = Pattern.compile(WORKSPACE_PREFIX + "[0-9a-f]{64}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);

    @Override
    public String word() {
        return Agent.PROVIDER_COMMAND;
    }

    @Override
    public Class<Agent.Command> type() {
        return Agent.Command.class;
    }

    @Override
    public List<String> fields() {
        return List.of(
                "command",
                "workspace",
                "env",
                "workspaceInclude",
                "homeFiles",
                "output",
                "models",
                "maxCostUsd",
                "failOnMissingAgent");
    }

    @Override
    public List<String> lacks() {
        return List.of("systemPrompt", "limits", "tools", "toolExecution", "inputFilters", "maxContextTokens");
    }

    @Override
    public List<Fields> objects() {
        return List.of(ModelFields.FIELDS);
    }

    @Override
    public String mark() {
        return "command";
    }

    @Override
    public boolean isAskedAnything() {
        return false;
    }

    @Override
    public Agent.Command read(FieldReader branch, CassetteField cassettes) {
        List<String> line = branch.nonEmptyList("command", CommandKind::argument);
        if (!line.isEmpty() && line.getFirst().isBlank()) {
            branch.problem("command", "`command` must begin with a program.");
        }
        if (branch.has("workspaceInclude")) {
            branch.problem(
                    "workspaceInclude",
                    "`workspaceInclude` names files of a `workspace` that is a directory, which the command line packs;"
                            + " remove it.");
        }
        ModelAccess models = ModelFields.read(branch);
        return new Agent.Command(new AgentCommand(
                line.isEmpty() ? List.of("?") : line,
                workspace(branch),
                branch.list("env", (node, path, problems) -> variable(node, path, problems, models == null)),
                branch.list("homeFiles", CommandPaths::item),
                branch.word("output", OutputFormat.byWord(), OutputFormat.TEXT),
                branch.nullableDecimal("maxCostUsd", MONEY),
                models,
                branch.flag("failOnMissingAgent", true)));
    }

    private static @Nullable String argument(JsonNode node, String path, Problems problems) {
        if (!node.isTextual()) {
            problems.add(path, "`" + path + "` must be text; write it in quotes.");
            return null;
        }
        String text = node.textValue();
        if (text.length() > AgentCommand.MAX_ARGUMENT || text.indexOf(0) >= 0) {
            problems.add(
                    path,
                    "`" + path + "` must have at most " + AgentCommand.MAX_ARGUMENT + " characters and no U+0000.");
            return null;
        }
        return text;
    }

    /** @param mayNameModels whether it may be one by which a program is told of its models */
    private static @Nullable String variable(JsonNode node, String path, Problems problems, boolean mayNameModels) {
        String name = TextRules.textItem(node, path, problems);
        if (name != null && !VARIABLE.matcher(name).matches()) {
            problems.add(path, "`" + path + "` must be the name of an environment variable, never its value.");
            return null;
        }
        if (name != null && !mayNameModels && ModelAccess.VARIABLES.contains(name)) {
            problems.add(
                    path,
                    "`" + path + "` names " + name + ", which `models` sets for the program; remove one of both.");
            return null;
        }
        return name;
    }

    /** Whether {@code name} is that of a stored workspace. */
    public static boolean isStored(String name) {
        return WORKSPACE.matcher(name).matches();
    }

    private static @Nullable String workspace(FieldReader branch) {
        String name = branch.nullableText("workspace");
        if (name == null || branch.isWrong("workspace")) {
            return null;
        }
        if (!isStored(name)) {
            branch.problem(
                    "workspace",
                    "`workspace` must be sha256: and 64 hexadecimal digits here; a directory is read and uploaded by"
                            + " the command line only.");
            return null;
        }
        return name.substring(WORKSPACE_PREFIX.length());
    }

    @Override
    public void write(Agent.Command agent, ObjectNode node) {
        AgentCommand command = agent.command();
        command.line().forEach(node.withArray("command")::add);
        if (command.workspaceId() != null) {
            node.put("workspace", WORKSPACE_PREFIX + command.workspaceId());
        }
        command.env().forEach(name -> node.withArray("env").add(name));
        command.homeFiles().forEach(path -> node.withArray("homeFiles").add(path));
        node.put("output", command.output().word());
        if (command.models() != null) {
            ModelFields.write(command.models(), node.putObject("models"));
        }
        if (command.maxCostUsd() != null) {
            node.set("maxCostUsd", JsonNumbers.node(command.maxCostUsd()));
        }
        node.put("failOnMissingAgent", command.required());
    }
}

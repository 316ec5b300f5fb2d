package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of {@code tools.yaml}: the limits that a server sets for tools. */
public final class ToolPolicyReader {

    private static final Fields FIELDS = Fields.of("toolPolicy", "addresses", "commands", "agents");
    private static final Fields AGENT = Fields.of("toolAgent", "program", "env", "homeFiles");
    private static final Fields ADDRESS = Fields.of("toolAddress", "url", "variables", "maxConcurrent");
    private static final NumberRule CALLS = NumberRule.whole(1, 1_000_000);
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    private ToolPolicyReader() {}

    /**
     * Reads the file's content.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static ToolPolicy read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        ToolPolicy policy = new ToolPolicy(
                fields.list("addresses", ToolPolicyReader::address),
                fields.list("commands", ToolPolicyReader::command),
                fields.list("agents", ToolPolicyReader::agent));
        problems.throwIfAny("file of tools");
        return policy;
    }

    private static ToolPolicy.AllowedAgent agent(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, AGENT, problems);
        return new ToolPolicy.AllowedAgent(
                fields.line("program", AgentCommand.MAX_ARGUMENT),
                Set.copyOf(fields.list("env", TextRules.lineItem(AgentCommand.MAX_NAME))),
                Set.copyOf(fields.list("homeFiles", CommandPaths::item)));
    }

    private static ToolPolicy.Address address(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, ADDRESS, problems);
        String url = fields.text("url");
        String wrong = fields.isWrong("url") ? null : UrlTemplate.problem(url);
        if (wrong == null
                && !fields.isWrong("url")
                && !new UrlTemplate(url).places().isEmpty()) {
            wrong = "must not have places such as {city}";
        }
        if (wrong != null) {
            fields.problem("url", "`url` " + wrong + ".");
        }
        Integer maxConcurrent =
                fields.hasValue("maxConcurrent") ? (Integer) fields.integer("maxConcurrent", CALLS, 1) : null;
        return new ToolPolicy.Address(url, variables(fields), maxConcurrent);
    }

    private static Map<String, String> variables(FieldReader fields) {
        Map<String, String> variables = new LinkedHashMap<>();
        fields.entries("variables").forEach((name, value) -> {
            if (NAME.matcher(name).matches()
                    && value.isTextual()
                    && NAME.matcher(value.textValue()).matches()) {
                variables.put(name, value.textValue());
            } else {
                String path = DocumentPath.field(fields.path("variables"), name);
                fields.problems()
                        .add(path, "`" + path + "` must name an environment variable of the worker, never a secret.");
            }
        });
        return variables;
    }

    private static @Nullable List<String> command(JsonNode node, String path, Problems problems) {
        if (!node.isArray() || node.isEmpty()) {
            problems.add(path, "`" + path + "` must be a list: the program and its arguments.");
            return null;
        }
        List<String> command = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            String part = TextRules.textItem(node.get(i), DocumentPath.item(path, i), problems);
            if (part != null) {
                command.add(part);
            }
        }
        return command;
    }
}

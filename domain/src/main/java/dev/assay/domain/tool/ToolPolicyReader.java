package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import dev.assay.domain.isolation.ContainerRuntime;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.limit.Spending;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of {@code tools.yaml}: the limits that a server sets for tools. */
public final class ToolPolicyReader {

    private static final Fields FIELDS =
            Fields.of("toolPolicy", "addresses", "commands", "agents", "isolation", "code");
    private static final Fields CODE = Fields.of("toolCode", "python", "javascript", "env", "programs");
    private static final Fields AGENT = Fields.of(
            "toolAgent",
            "program",
            "env",
            "homeFiles",
            "isolation",
            "image",
            "readable",
            "memoryMb",
            "processes",
            "cpus",
            "diskMb");
    private static final Fields ISOLATION =
            Fields.of("toolIsolation", "atLeast", "ports", "image", "runtime", "network");
    private static final Fields ADDRESS =
            Fields.of("toolAddress", "url", "variables", "maxConcurrent", "requestsPerMinute", "requestsPerDay");

    private static final Map<String, Boolean> PORTS = openOr("closed");
    private static final Map<String, Boolean> NETWORKS = openOr("none");
    private static final int MAX_PATH = 4_096;
    private static final NumberRule MEGABYTES = NumberRule.whole(16, 1_048_576);
    private static final NumberRule PROCESSES = NumberRule.whole(4, 1_000_000);
    private static final NumberRule PROCESSORS = NumberRule.above(0, 1_024).withDecimals(2);
    private static final NumberRule REQUESTS = NumberRule.whole(1, Spending.MOST_LIMIT);
    private static final NumberRule CALLS = NumberRule.whole(1, 1_000_000);

    /** An image by its tag or digest. It begins as no option does. */
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,511}");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    private ToolPolicyReader() {}

    private static Map<String, Boolean> openOr(String closed) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(closed, false);
        words.put("open", true);
        return words;
    }

    /**
     * Reads the file's content.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static ToolsFile readFile(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        List<IsolationRules.Program> programs = fields.list("agents", ToolPolicyReader::program);
        ToolPolicy policy = new ToolPolicy(
                fields.list("addresses", ToolPolicyReader::address),
                fields.list("commands", ToolPolicyReader::command),
                programs.stream().map(IsolationRules.Program::agent).toList(),
                null,
                code(fields.objectOrEmpty("code", CODE)));
        IsolationRules isolation = isolation(fields.objectOrEmpty("isolation", ISOLATION), programs);
        problems.throwIfAny("file of tools");
        return new ToolsFile(policy, isolation);
    }

    /** As {@link #readFile}, without the rules for keeping programs apart. */
    public static ToolPolicy read(JsonNode document) {
        return readFile(document).policy();
    }

    private static CodeAllowance code(FieldReader fields) {
        return new CodeAllowance(
                Stream.of("python", "javascript")
                        .filter(language -> fields.flag(language, false))
                        .collect(Collectors.toSet()),
                Set.copyOf(fields.list("env", TextRules.lineItem(AgentCommand.MAX_NAME))),
                Set.copyOf(fields.list("programs", TextRules.lineItem(AgentCommand.MAX_ARGUMENT))));
    }

    private static IsolationRules isolation(FieldReader fields, List<IsolationRules.Program> programs) {
        IsolationLevel atLeast = level(fields, "atLeast");
        ContainerRules containers = new ContainerRules(
                image(fields),
                fields.word("runtime", ContainerRuntime.byWord(), ContainerRuntime.DOCKER),
                fields.word("network", NETWORKS, false));
        IsolationRules rules = new IsolationRules(atLeast, fields.word("ports", PORTS, false), containers, programs);
        for (int i = 0; i < programs.size(); i++) {
            check(rules, programs.get(i), DocumentPath.item("agents", i), fields);
        }
        return rules;
    }

    private static void check(
            IsolationRules rules, IsolationRules.Program program, String path, FieldReader isolation) {
        IsolationLevel own = program.level();
        IsolationLevel atLeast = rules.atLeast();
        if (own != null && atLeast != null && !own.isAtLeast(atLeast)) {
            isolation
                    .problems()
                    .add(path + ".isolation", "`" + path + ".isolation` is less than `isolation.atLeast` asks for.");
        }
        if (rules.image(program) == null && (own == IsolationLevel.CONTAINER || atLeast == IsolationLevel.CONTAINER)) {
            isolation
                    .problems()
                    .add(
                            path + ".image",
                            "`" + path + ".image` is missing: level container needs an image; `isolation.image` names"
                                    + " one for all programs.");
        }
    }

    /** A name that is wrong counts as written, so that one error is reported for it. */
    private static @Nullable String image(FieldReader fields) {
        if (!fields.has("image")) {
            return null;
        }
        String image = fields.text("image");
        if (!fields.isWrong("image") && !IMAGE.matcher(image).matches()) {
            fields.problem("image", "`image` must name an image by its tag or digest, such as debian:12-slim.");
        }
        return image;
    }

    private static @Nullable IsolationLevel level(FieldReader fields, String name) {
        return fields.has(name) ? fields.word(name, IsolationLevel.byWord()) : null;
    }

    private static IsolationRules.Program program(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, AGENT, problems);
        ToolPolicy.AllowedAgent agent = new ToolPolicy.AllowedAgent(
                fields.line("program", AgentCommand.MAX_ARGUMENT),
                Set.copyOf(fields.list("env", TextRules.lineItem(AgentCommand.MAX_NAME))),
                Set.copyOf(fields.list("homeFiles", CommandPaths::item)));
        AttemptLimits usual = AttemptLimits.DEFAULT;
        return new IsolationRules.Program(
                agent,
                level(fields, "isolation"),
                image(fields),
                fields.list("readable", ToolPolicyReader::readable),
                new AttemptLimits(
                        fields.integer("memoryMb", MEGABYTES, usual.memoryMb()),
                        fields.integer("processes", PROCESSES, usual.processes()),
                        fields.decimal("cpus", PROCESSORS),
                        fields.integer("diskMb", MEGABYTES, usual.diskMb())));
    }

    /** A path of the worker's machine; null: it is none, which was reported. */
    private static @Nullable String readable(JsonNode node, String path, Problems problems) {
        String text = TextRules.lineItem(MAX_PATH).read(node, path, problems);
        if (text != null && !text.startsWith("/")) {
            problems.add(path, "`" + path + "` must be a path that begins with /.");
            return null;
        }
        return text;
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
        return new ToolPolicy.Address(
                url,
                variables(fields),
                maxConcurrent,
                requests(fields, "requestsPerMinute"),
                requests(fields, "requestsPerDay"));
    }

    private static @Nullable Long requests(FieldReader fields, String limit) {
        BigDecimal requests = fields.nullableDecimal(limit, REQUESTS);
        return requests == null ? null : (Long) requests.longValueExact();
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

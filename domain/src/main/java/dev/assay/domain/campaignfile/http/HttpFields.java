package dev.assay.domain.campaignfile.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.tool.Headers;
import dev.assay.domain.tool.JsonPathQuery;
import dev.assay.domain.tool.SystemAddress;
import dev.assay.domain.tool.SystemAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of a branch that a system under test answers for. */
public final class HttpFields {

    /** The word that users write as {@code kind}; a branch with {@code url} may leave it out. */
    public static final String KIND = "http";

    /** The fields of {@code usage} as an object. */
    public static final Fields USAGE =
            Fields.of("branchUsage", "input", "output", "reasoning", "cacheRead", "cacheWrite", "total", "costUsd");

    private static final Map<String, String> METHODS = methods();
    private static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);
    private static final List<String> OWN = List.of("url", "method", "headers", "body", "response", "usage");

    /** Fields that ask a model, a script or a program, and mean nothing to a system behind an address. */
    private static final List<String> FOREIGN = List.of(
            "provider",
            "model",
            "thinking",
            "thinkingOptional",
            "parameters",
            "tools",
            "toolExecution",
            "cassette",
            "script");

    private HttpFields() {}

    private static Map<String, String> methods() {
        Map<String, String> methods = new LinkedHashMap<>();
        List.of("GET", "POST", "PUT", "PATCH", "DELETE").forEach(method -> methods.put(method, method));
        return methods;
    }

    /** Whether a system under test is meant to answer for {@code branch}. */
    public static boolean areMeant(FieldReader branch) {
        JsonNode kind = branch.node("kind");
        return kind == null
                ? branch.has("url") && !branch.has("command")
                : kind.asText().equals(KIND);
    }

    /** The same; where none is meant, fields that only systems under test have are reported. */
    public static boolean areIn(FieldReader branch) {
        boolean areMeant = areMeant(branch);
        if (!areMeant) {
            OWN.stream()
                    .filter(branch::has)
                    .forEach(name -> branch.problem(
                            name, "`" + name + "` belongs to kind http; remove it or write `kind: http`."));
        }
        return areMeant;
    }

    /** Reads them. */
    public static Agent.Http read(FieldReader branch) {
        FOREIGN.stream()
                .filter(branch::has)
                .forEach(name -> branch.problem(
                        name, "`" + name + "` does not belong to kind http, whose system has its own; remove it."));
        String url = url(branch);
        Map<String, String> headers = Headers.read(branch);
        headers.forEach((name, value) -> {
            if (value.contains("{{")) {
                String path = DocumentPath.field(branch.path("headers"), name);
                branch.problems().add(path, "Headers have no places; write {{…}} in `url` or `body` only.");
            }
        });
        JsonNode body = BodyTemplate.read(branch, headers);
        String method = branch.word("method", METHODS, body == null ? "GET" : "POST");
        if (body != null && method.equals("GET")) {
            branch.problem("body", "A request by GET has no body; remove it or choose POST.");
        }
        AgentHttp.Answer answer = new AgentHttp.Answer(jsonPath(branch, "response"), usage(branch));
        return new Agent.Http(
                new AgentHttp(method, url, headers, body, answer, branch.nullableDecimal("maxCostUsd", MONEY)),
                Map.of());
    }

    private static String url(FieldReader branch) {
        String url = branch.text("url");
        String wrong = branch.isWrong("url") ? null : SystemAddress.problem(url);
        if (wrong != null) {
            branch.problem("url", "`url` " + wrong + ".");
        }
        return wrong == null && !branch.isWrong("url") ? url : "http://unknown";
    }

    private static @Nullable String jsonPath(FieldReader fields, String name) {
        String path = fields.nullableText(name);
        String wrong = path == null || fields.isWrong(name) ? null : JsonPathQuery.problem(path);
        if (wrong != null) {
            fields.problem(name, "`" + name + "` must be a JSONPath such as $.choices[0].message.content. " + wrong);
        }
        return path;
    }

    private static AgentHttp.UsagePaths usage(FieldReader branch) {
        JsonNode node = branch.node("usage");
        if (node == null || node.isNull()) {
            return AgentHttp.UsagePaths.NONE;
        }
        if (node.isTextual()) {
            return new AgentHttp.UsagePaths(jsonPath(branch, "usage"), Map.of());
        }
        if (!node.isObject()) {
            branch.problem(
                    "usage",
                    "`usage` must be a JSONPath, or an object of them, but is " + ActualValue.describe(node) + ".");
            return AgentHttp.UsagePaths.NONE;
        }
        FieldReader fields = branch.objectOrEmpty("usage", USAGE);
        Map<String, String> paths = new TreeMap<>();
        SystemAnswer.NAMES.keySet().stream().filter(fields::hasValue).sorted().forEach(name -> {
            String path = jsonPath(fields, name);
            if (path != null) {
                paths.put(name, path);
            }
        });
        return new AgentHttp.UsagePaths(null, paths);
    }

    /** Writes them back. */
    public static void write(AgentHttp system, ObjectNode node) {
        node.put("kind", KIND);
        node.put("method", system.method());
        node.put("url", system.url());
        system.headers().forEach(node.withObjectProperty("headers")::put);
        if (system.body() != null) {
            node.set("body", system.body());
        }
        if (system.answer().response() != null) {
            node.put("response", system.answer().response());
        }
        AgentHttp.UsagePaths usage = system.answer().usage();
        if (usage.object() != null) {
            node.put("usage", usage.object());
        } else if (!usage.fields().isEmpty()) {
            new TreeMap<>(usage.fields()).forEach(node.withObjectProperty("usage")::put);
        }
        if (system.maxCostUsd() != null) {
            node.set("maxCostUsd", JsonNumbers.node(system.maxCostUsd()));
        }
    }
}

package dev.assay.domain.campaignfile.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.tool.Headers;
import dev.assay.domain.tool.JsonPathQuery;
import dev.assay.domain.tool.SystemAddress;
import dev.assay.domain.tool.SystemAnswer;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kind of systems under test. */
public final class HttpKind implements AgentKind<Agent.Http> {

    /** The fields of {@code usage} as an object. */
    private static final Fields USAGE =
            Fields.of("branchUsage", "input", "output", "reasoning", "cacheRead", "cacheWrite", "total", "costUsd");

    private static final Map<String, String> METHODS = methods();
    private static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);

    private static Map<String, String> methods() {
        Map<String, String> methods = new LinkedHashMap<>();
        List.of("GET", "POST", "PUT", "PATCH", "DELETE").forEach(method -> methods.put(method, method));
        return methods;
    }

    @Override
    public String word() {
        return Agent.PROVIDER_HTTP;
    }

    @Override
    public Class<Agent.Http> type() {
        return Agent.Http.class;
    }

    @Override
    public List<String> fields() {
        return List.of("url", "method", "headers", "body", "response", "usage", "maxCostUsd");
    }

    @Override
    public List<String> lacks() {
        return List.of("tools", "toolExecution");
    }

    @Override
    public List<Fields> objects() {
        return List.of(USAGE);
    }

    @Override
    public String mark() {
        return "url";
    }

    @Override
    public boolean isAskedAnything() {
        return false;
    }

    @Override
    public Agent.Http read(FieldReader branch, CassetteField cassettes) {
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
                new AgentHttp(method, url, headers, body, answer, branch.nullableDecimal("maxCostUsd", MONEY)));
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

    @Override
    public void write(Agent.Http agent, ObjectNode node) {
        AgentHttp system = agent.system();
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
    /** Reports an address that no worker may ask, and variables that workers do not have for it. */
    @Override
    public void checkAllowed(Agent.Http agent, ToolPolicy policy, String path, Problems problems) {
        AgentHttp system = agent.system();
        ToolReader.checkAddress(SystemAddress.sample(system.url()), system.headers(), policy, path, problems);
    }
}

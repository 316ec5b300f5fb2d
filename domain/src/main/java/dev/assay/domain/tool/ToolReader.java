package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.schema.ResponseSchema;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of the tools of one branch, each name once. */
public final class ToolReader {

    /** The fields of an item of {@code tools}. */
    public static final Fields FIELDS = Fields.of(
            "tool",
            "type",
            "name",
            "description",
            "method",
            "url",
            "headers",
            "body",
            "parameters",
            "transport",
            "command",
            "only",
            "timeoutSeconds",
            "idempotent");

    static final String HTTP = "http";
    static final String MCP = "mcp";

    /** The transports of MCP servers, as users write them. */
    static final String STDIO = "stdio";

    private static final Map<String, Kind> KINDS = kinds();
    private static final Map<String, String> METHODS = words("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final Map<String, String> TRANSPORTS = words(HTTP, STDIO);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final NumberRule TIMEOUT = NumberRule.above(0, 3_600);
    private static final int MAX_DESCRIPTION = 2_000;
    private static final int MAX_ARGUMENT = 4_096;

    private final Map<String, String> pathOfName = new HashMap<>();

    /**
     * A type of tool.
     *
     * @param builtIn the tool; null: it is declared
     */
    private record Kind(String word, @Nullable BuiltInTool builtIn, List<String> own) {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        List<String> http = List.of(
                "name",
                "description",
                "method",
                "url",
                "headers",
                "body",
                "parameters",
                "timeoutSeconds",
                "idempotent");
        List<String> mcp =
                List.of("name", "transport", "url", "headers", "command", "only", "timeoutSeconds", "idempotent");
        kinds.put(HTTP, new Kind(HTTP, null, http));
        kinds.put(MCP, new Kind(MCP, null, mcp));
        for (BuiltInTool tool : BuiltInTool.values()) {
            kinds.put(tool.word(), new Kind(tool.word(), tool, List.of("timeoutSeconds")));
        }
        return kinds;
    }

    private static Map<String, String> words(String... words) {
        return Arrays.stream(words)
                .collect(Collectors.toMap(word -> word, word -> word, (a, b) -> a, LinkedHashMap::new));
    }

    /** Reads one tool; null: it is unusable, which was reported. */
    public @Nullable Tool read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        Kind kind = fields.word("type", KINDS);
        if (kind == null) {
            return null;
        }
        FIELDS.names().stream()
                .filter(name ->
                        fields.has(name) && !name.equals("type") && !kind.own().contains(name))
                .forEach(name -> fields.problem(
                        name, "`" + name + "` does not belong to a tool of type " + kind.word() + "; remove it."));
        Duration timeout = fields.seconds("timeoutSeconds", TIMEOUT, Tool.DEFAULT_TIMEOUT);
        String name = kind.builtIn() == null ? name(fields) : kind.word();
        unique(name, fields, path);
        if (kind.builtIn() != null) {
            return new Tool.BuiltIn(kind.builtIn(), timeout);
        }
        return kind.word().equals(HTTP) ? http(name, fields, timeout) : mcp(name, fields, timeout);
    }

    private static String name(FieldReader fields) {
        String name = fields.text("name");
        if (!fields.isWrong("name") && !NAME.matcher(name).matches()) {
            fields.problem("name", "`name` must be 1 to 64 letters, digits, `_` or `-`, as models take no others.");
        }
        return name;
    }

    private void unique(String name, FieldReader fields, String path) {
        String earlier = fields.isWrong("name") || name.isEmpty() ? null : pathOfName.putIfAbsent(name, path);
        if (earlier != null) {
            fields.problem(
                    "name", "Tool `" + name + "` is already declared at `" + earlier + "`; choose another name.");
        }
    }

    private static Tool http(String name, FieldReader fields, Duration timeout) {
        String description = fields.line("description", MAX_DESCRIPTION);
        String method = fields.word("method", METHODS, "GET");
        String url = url(fields);
        JsonNode parameters = parameters(fields);
        String body = fields.nullableText("body");
        UrlTemplate template = new UrlTemplate(url);
        if (!fields.isWrong("url") && !fields.isWrong("parameters")) {
            checkPlaces(fields, template.places(), "url", parameters);
            checkPlaces(fields, places(body), "body", parameters);
            checkUsed(fields, method, template, body, parameters);
        }
        Tool.Request request = new Tool.Request(method, template, Headers.read(fields), body);
        if (body != null && !request.hasBody()) {
            fields.problem("body", "A request by " + method + " has no body; remove it or choose POST.");
        }
        boolean safe = method.equals("GET") || method.equals("HEAD");
        return new Tool.Http(
                new ToolSpec(name, description, parameters), request, timeout, fields.flag("idempotent", safe));
    }

    private static String url(FieldReader fields) {
        String url = fields.text("url");
        String wrong = fields.isWrong("url") ? null : UrlTemplate.problem(url);
        if (wrong != null) {
            fields.problem("url", "`url` " + wrong + ".");
        }
        return url;
    }

    private static Set<String> places(@Nullable String body) {
        return body == null ? Set.of() : new UrlTemplate(body).places();
    }

    private static void checkPlaces(FieldReader fields, Set<String> places, String field, JsonNode parameters) {
        for (String place : places) {
            if (!parameters.path("properties").has(place)) {
                fields.problem(
                        field, "`{" + place + "}` is no property of `parameters`; declare it there or correct it.");
            }
        }
    }

    /** Checks that every argument has a place: an argument without one would be dropped silently. */
    private static void checkUsed(
            FieldReader fields, String method, UrlTemplate url, @Nullable String body, JsonNode parameters) {
        boolean takesAll = body == null && new Tool.Request(method, url, Map.of(), null).hasBody();
        Set<String> used = new HashSet<>(url.places());
        places(body).forEach(used::add);
        parameters.path("properties").fieldNames().forEachRemaining(name -> {
            if (!takesAll && !used.contains(name)) {
                String where = body == null ? "`url`, and a request by " + method + " has no body" : "`url` or `body`";
                fields.problem(
                        "parameters", "`" + name + "` has no place in " + where + "; write {" + name + "} there.");
            }
        });
    }

    private static JsonNode parameters(FieldReader fields) {
        JsonNode none = JsonNodeFactory.instance.objectNode().put("type", "object");
        JsonNode schema = fields.node("parameters");
        if (schema == null) {
            return none;
        }
        String wrong = !schema.isObject() || !schema.path("type").asText().equals("object")
                ? "`parameters` must be a JSON Schema with `type: object`."
                : ResponseSchema.problem(schema);
        if (wrong != null) {
            fields.problem("parameters", wrong);
        }
        return wrong == null ? schema : none;
    }

    private static Tool mcp(String name, FieldReader fields, Duration timeout) {
        String transport = fields.word("transport", TRANSPORTS, HTTP);
        boolean isHttp = transport.equals(HTTP);
        Stream.of(isHttp ? "command" : "url", isHttp ? "" : "headers")
                .filter(fields::has)
                .forEach(field -> fields.problem(
                        field, "`" + field + "` does not belong to transport " + transport + "; remove it."));
        Tool.McpServer server = isHttp
                ? new Tool.McpServer.Http(addressOf(fields), Headers.read(fields))
                : new Tool.McpServer.Stdio(fields.nonEmptyList("command", ToolReader::argument));
        List<String> only = fields.list("only", TextRules.lineItem(128));
        return new Tool.Mcp(name, server, only, timeout, fields.flag("idempotent", false));
    }

    private static String addressOf(FieldReader fields) {
        String url = url(fields);
        if (!fields.isWrong("url") && !new UrlTemplate(url).places().isEmpty()) {
            fields.problem("url", "`url` of an MCP server must not have places such as {city}.");
        }
        return url;
    }

    private static @Nullable String argument(JsonNode node, String path, Problems problems) {
        String text = TextRules.textItem(node, path, problems);
        if (text != null && (text.length() > MAX_ARGUMENT || text.indexOf('\0') >= 0)) {
            problems.add(path, "`" + path + "` must have at most " + MAX_ARGUMENT + " characters and no U+0000.");
        }
        return text;
    }

    /** Checks {@code tools} against what the server allows. */
    public static void check(List<Tool> tools, ToolPolicy policy, String path, Problems problems) {
        for (int i = 0; i < tools.size(); i++) {
            String at = DocumentPath.item(path, i);
            switch (tools.get(i)) {
                case Tool.BuiltIn ignored -> {}
                case Tool.Http http ->
                    checkUrl(http.request().url().text(), http.request().headers(), policy, at, problems);
                case Tool.Mcp(
                        var ignored,
                        Tool.McpServer.Http(String url, var headers),
                        var only,
                        var time,
                        var again) -> checkUrl(url, headers, policy, at, problems);
                case Tool.Mcp(var ignored, Tool.McpServer.Stdio(var command), var only, var time, var again) -> {
                    if (!policy.commands().contains(command)) {
                        problems.add(
                                DocumentPath.field(at, "command"),
                                "The server does not allow this command; its operator lists it under `commands` in"
                                        + " tools.yaml.");
                    }
                }
            }
        }
    }

    private static void checkUrl(
            String url, Map<String, String> headers, ToolPolicy policy, String at, Problems problems) {
        if (UrlTemplate.problem(url) == null) {
            checkAddress(new UrlTemplate(url).sample(), headers, policy, at, problems);
        }
    }

    /**
     * Checks an address and its headers against what the server allows.
     *
     * @param at the object with the fields {@code url} and {@code headers}
     */
    public static void checkAddress(
            URI target, Map<String, String> headers, ToolPolicy policy, String at, Problems problems) {
        String field = DocumentPath.field(at, "url");
        if (problems.foundAt(field)) {
            return;
        }
        ToolPolicy.Address address = policy.covering(target).orElse(null);
        if (address == null) {
            problems.add(
                    field,
                    "The server does not allow campaigns to ask "
                            + ActualValue.describe(JsonNodeFactory.instance.textNode(target.toString()))
                            + "; its operator lists it under `addresses` in tools.yaml.");
            return;
        }
        Headers.variables(headers).stream()
                .filter(variable -> !Objects.requireNonNull(address).variables().containsKey(variable))
                .forEach(variable -> problems.add(
                        DocumentPath.field(at, "headers"),
                        "The server has no variable `" + variable + "` for this address; it is declared under"
                                + " `variables` in tools.yaml."));
    }
}

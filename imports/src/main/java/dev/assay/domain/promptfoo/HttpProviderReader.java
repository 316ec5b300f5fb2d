package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.UrlTemplate;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reader of a provider {@code http}, {@code https} or an address as a branch of kind {@code http}. Code has no counterpart. */
final class HttpProviderReader {

    private static final Pattern ADDRESS = Pattern.compile("https?(://.*)?", Pattern.DOTALL);
    private static final Pattern PLACE = Pattern.compile("\\{\\{-?\\s*([^{}]*?)\\s*-?}}");
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z_][\\w-]*(?:\\.[\\w-]+)*)(?:\\s*\\|\\s*(dump|tojson|safe|urlencode))?");
    private static final Pattern VARIABLE = Pattern.compile("\\{\\{-?\\s*env\\.([A-Za-z_]\\w{0,63})\\s*-?}}");

    /** A plain path of JavaScript: names, indexes and quoted names, with or without question marks. */
    private static final Pattern PATH = Pattern.compile(
            "(?:json|data)((?:\\??\\.[A-Za-z_]\\w*|(?:\\?\\.)?\\[(?:\\d{1,9}|'[^'\\\\\\]]+'|\"[^\"\\\\\\]]+\")])*)");

    /** Code that is a function rather than an expression, as promptfoo tells them apart. */
    private static final Pattern FUNCTION = Pattern.compile("^(?:\\(.*?\\)\\s*=>|function\\s*\\(.*?\\))");

    /** The status and headers of the response, which no transform sees. */
    private static final Pattern CONTEXT = Pattern.compile("\\bcontext\\b");

    private static final Set<String> KNOWN = Set.of(
            "url", "method", "headers", "body", "queryParams", "transformResponse", "responseParser", "maxRetries");

    private final ImportReport report;
    private final String path;

    /** @param path of the provider's {@code config} */
    HttpProviderReader(ImportReport report, String path) {
        this.report = report;
        this.path = path;
    }

    static boolean isMeant(String id) {
        return ADDRESS.matcher(id).matches();
    }

    /** @param id {@code http}, {@code https} or the address */
    ObjectNode read(String id, JsonNode config) {
        ObjectNode branch = JsonNodeFactory.instance.objectNode().put("kind", "http");
        String url = config.path("url").isTextual() ? config.path("url").textValue() : id;
        String method = config.path("method").asText("GET").toUpperCase(Locale.ROOT);
        branch.put("url", withQuery(places(url, "url"), config.path("queryParams")));
        branch.put("method", method);
        config.path("headers")
                .properties()
                .forEach(header -> branch.withObjectProperty("headers")
                        .put(
                                header.getKey(),
                                header(header.getKey(), header.getValue().asText())));
        if (config.hasNonNull("body") && method.equals("GET")) {
            report.note(at("body"), "Left out: promptfoo sends no body by GET.");
        } else if (config.hasNonNull("body")) {
            branch.set("body", body(config.path("body")));
        }
        for (String field : new String[] {"responseParser", "transformResponse"}) {
            readPath(config.path(field), field, branch);
        }
        config.fieldNames().forEachRemaining(this::reportForeign);
        return branch;
    }

    private void reportForeign(String name) {
        if (name.equals("maxRetries")) {
            report.note(at(name), "Left out: `limits.maxAttempts` bounds the attempts at a cell.");
        } else if (name.equals("useHttps")) {
            report.note(at(name), "Left out: only raw requests read it.");
        } else if (!KNOWN.contains(name)) {
            report.unmapped(
                    LostPart.SETTING,
                    at(name),
                    "The setting `" + Excerpt.of(name, 100) + "` of an HTTP provider has no counterpart.");
        }
    }

    private String at(String field) {
        return DocumentPath.field(path, field);
    }

    private String withQuery(String url, JsonNode parameters) {
        StringBuilder query = new StringBuilder(url);
        parameters
                .properties()
                .forEach(parameter -> query.append(query.indexOf("?") < 0 ? '?' : '&')
                        .append(encoded(parameter.getKey()))
                        .append('=')
                        .append(encoded(places(parameter.getValue().asText(), "queryParams"))));
        return query.toString();
    }

    /** Percent-encoded but for its places. */
    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        Matcher place = PLACE.matcher(text);
        int end = 0;
        while (place.find()) {
            encoded.append(UrlTemplate.encode(text.substring(end, place.start())))
                    .append(place.group());
            end = place.end();
        }
        return encoded.append(UrlTemplate.encode(text.substring(end))).toString();
    }

    /** An environment variable is one of the operator's. */
    private String header(String name, String value) {
        String header = VARIABLE.matcher(value).replaceAll("\\${$1}");
        if (header.contains("{{")) {
            report.unmapped(
                    LostPart.SETTING, DocumentPath.field(at("headers"), name), "Headers have no places for vars here.");
        }
        return header;
    }

    private JsonNode body(JsonNode body) {
        if (body.isTextual()) {
            return TextNode.valueOf(places(body.textValue(), "body"));
        }
        if (body instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), body(field.getValue())));
            return copy;
        }
        if (body instanceof ArrayNode list) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode(list.size());
            list.forEach(item -> copy.add(body(item)));
            return copy;
        }
        return body;
    }

    /** Vars stand below {@code vars} here. Where a filter writes a var as JSON or percent-encoded, its place does. */
    private String places(String text, String field) {
        return PLACE.matcher(text).replaceAll(place -> {
            Matcher name = NAME.matcher(place.group(1));
            if (!name.matches() || name.group(1).startsWith("env.")) {
                report.unmapped(
                        LostPart.SETTING,
                        at(field),
                        "The place `" + Excerpt.of(place.group(), 100) + "` of a request has no counterpart.");
                return "";
            }
            String prefix = name.group(1).equals("prompt") ? "" : "vars.";
            return Matcher.quoteReplacement("{{" + prefix + name.group(1) + "}}");
        });
    }

    private void readPath(JsonNode written, String field, ObjectNode branch) {
        String code = written.asText("").strip();
        Matcher plain = PATH.matcher(code);
        if (plain.matches() && !plain.group(1).isEmpty()) {
            branch.put("response", "$" + plain.group(1).replace("?.[", "[").replace("?.", "."));
        } else if (code.isEmpty() || code.equals("text") || plain.matches()) {
            return;
        } else if (code.contains("file://") || CONTEXT.matcher(code).find()) {
            report.unmapped(
                    LostPart.SETTING,
                    at(field),
                    "`" + field + "` in a file, or with `context`, has no counterpart; code with `json` and `text`"
                            + " has one.");
        } else {
            ObjectNode transform = JsonNodeFactory.instance.objectNode().put("javascript", ofResponse(code));
            report.code(transform, at(field));
            branch.set(CodeWriter.TRANSFORM, transform);
        }
    }

    /** A transform of the body of a response, around code that reads it as JSON or as a text. */
    private static String ofResponse(String code) {
        String call = "(" + code + "\n)" + (FUNCTION.matcher(code).find() ? "(json, text)" : "");
        return """
            const text = output;
            let json = null;
            try {
              json = JSON.parse(text) || null;
            } catch (error) {
              json = null;
            }
            const result = %s;
            return result && typeof result === 'object' && 'output' in result ? result.output : result;
            """.formatted(call);
    }
}

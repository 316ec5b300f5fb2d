package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Headers of requests that tools make. Secrets stand in them only as variables of the server, such as {@code ${key}}. */
public final class Headers {

    static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]{0,63})}");

    /** Characters of a value as it is written. */
    private static final int MAX_VALUE = 8_192;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$&'*+.^_`|~-]{1,128}");
    private static final Pattern SECRET =
            Pattern.compile(".*(authorization|cookie|key|token|secret|password).*", Pattern.CASE_INSENSITIVE);

    /** Headers that the HTTP client sets itself. */
    private static final Set<String> OWN = Set.of("host", "content-length", "connection", "expect", "upgrade");

    private Headers() {}

    /** Reads {@code headers}; empty when they are not written. */
    public static Map<String, String> read(FieldReader tool) {
        JsonNode node = tool.node("headers");
        Map<String, String> headers = new LinkedHashMap<>();
        if (node == null) {
            return headers;
        }
        if (!node.isObject()) {
            tool.problem("headers", "`headers` must be an object, but is " + ActualValue.describe(node) + ".");
            return headers;
        }
        node.properties().forEach(header -> {
            String path = DocumentPath.field(tool.path("headers"), header.getKey());
            String wrong = problem(header.getKey(), header.getValue());
            if (wrong == null) {
                headers.put(header.getKey(), header.getValue().textValue());
            } else {
                tool.problems().add(path, "`" + path + "` " + wrong + ".");
            }
        });
        return headers;
    }

    private static @Nullable String problem(String name, JsonNode value) {
        if (!NAME.matcher(name).matches()) {
            return "is no name of a header";
        }
        if (OWN.contains(name.toLowerCase(java.util.Locale.ROOT))) {
            return "is set by Assay itself; remove it";
        }
        if (!value.isTextual() || value.textValue().codePoints().anyMatch(Character::isISOControl)) {
            return "must be text without control characters";
        }
        if (value.textValue().length() > MAX_VALUE) {
            return "must have at most " + MAX_VALUE + " characters";
        }
        boolean hasVariable = VARIABLE.matcher(value.textValue()).find();
        return SECRET.matcher(name).matches() && !hasVariable
                ? "must not hold a secret; write a variable of the server such as ${key}, see docs/tools.md"
                : null;
    }

    /** The variables that {@code headers} name. */
    public static Set<String> variables(Map<String, String> headers) {
        Set<String> variables = new TreeSet<>();
        headers.values()
                .forEach(value -> VARIABLE.matcher(value).results().forEach(found -> variables.add(found.group(1))));
        return variables;
    }

    /** {@code value} with every variable replaced. */
    public static String fill(String value, Function<String, String> variables) {
        return VARIABLE.matcher(value).replaceAll(found -> Matcher.quoteReplacement(variables.apply(found.group(1))));
    }
}

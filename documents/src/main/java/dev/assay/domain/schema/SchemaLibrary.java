package dev.assay.domain.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.Specification;
import com.networknt.schema.dialect.BasicDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectRegistry;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.path.PathType;
import dev.assay.domain.pattern.GuardedPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of the JSON Schema library, and the wording of its errors. */
final class SchemaLibrary {

    static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    /** The published addresses of the draft, which the library maps to files of its own. */
    private static final Pattern OWN_DRAFT =
            Pattern.compile("(https?://json-schema\\.org/|classpath:)draft/2020-12(/[a-z-]+)+");

    private static final Pattern SHORT_NAME =
            Pattern.compile("[A-Za-z_\\x{80}-\\x{10FFFF}][A-Za-z0-9_\\x{80}-\\x{10FFFF}]*");

    private static final int MAX_ERRORS = 3;

    private static final Schema META = SchemaRegistry.withDialect(
                    Dialects.getDraft202012(), registry -> registry.schemaRegistryConfig(config().build()))
            .getSchema(SchemaLocation.of(DRAFT));

    private SchemaLibrary() {}

    /** The schema of schemas. */
    static Schema meta() {
        return META;
    }

    /**
     * The registry that reads one schema and applies it once, and counts that.
     *
     * @param reads what all patterns together may read
     */
    static SchemaRegistry counted(SchemaSteps steps, GuardedPattern.Reads reads) {
        return SchemaRegistry.builder()
                .defaultDialectId(DRAFT)
                .dialectRegistry(dialects(steps))
                .schemaLoader(loader ->
                        loader.allow(iri -> OWN_DRAFT.matcher(iri.toString()).matches()))
                .schemaRegistryConfig(config(reads))
                .build();
    }

    /** The drafts that the library knows. A part of a schema may name another one than the whole. */
    private static DialectRegistry dialects(SchemaSteps steps) {
        Map<String, Dialect> known = new HashMap<>();
        return new BasicDialectRegistry(id -> known.computeIfAbsent(id, name -> counted(name, steps)));
    }

    private static @Nullable Dialect counted(String id, SchemaSteps steps) {
        Dialect dialect = Specification.getDialect(id);
        if (dialect == null) {
            return null;
        }
        return Dialect.builder(dialect)
                .keywords(keywords -> keywords.putAll(dialect.getKeywords().values().stream()
                        // The library takes no other `format`; it only notes what a schema says.
                        .filter(keyword -> !keyword.getValue().equals("format"))
                        .collect(Collectors.toMap(
                                keyword -> keyword.getValue(), keyword -> new CountedKeyword(keyword, steps)))))
                .build();
    }

    private static SchemaRegistryConfig config(GuardedPattern.Reads reads) {
        return config().regularExpressionFactory(regex -> {
                    GuardedPattern pattern = GuardedPattern.compile(regex);
                    return text -> pattern.find(text, reads);
                })
                // Otherwise it would read all that the references of a schema lead to before anything is applied.
                .preloadSchema(false)
                .build();
    }

    /** Paths are JSON pointers, because the library knows no JSONPath for the name "". */
    private static SchemaRegistryConfig.Builder config() {
        return SchemaRegistryConfig.builder().locale(Locale.ROOT).pathType(PathType.JSON_POINTER);
    }

    /** The first errors, each with the place in the document as a JSONPath; null: there are none. */
    static @Nullable String sentence(List<Error> errors) {
        return errors.isEmpty()
                ? null
                : errors.stream().limit(MAX_ERRORS).map(SchemaLibrary::sentence).collect(Collectors.joining("; "));
    }

    private static String sentence(Error error) {
        return path(error.getInstanceLocation()) + ": " + error.getMessage();
    }

    /** The wording of an exception: where the schema or the document is at fault, as a JSON pointer, and why. */
    static String reason(RuntimeException failure) {
        Error error = failure instanceof SchemaException known ? known.getError() : null;
        NodePath location = error == null ? null : error.getInstanceLocation();
        String place = location == null || location.toString().isEmpty() ? "" : location + ": ";
        return place + failure.getMessage();
    }

    private static String path(NodePath location) {
        List<String> segments = new ArrayList<>();
        for (NodePath at = location; at.getElement(-1) != null; at = at.getParent()) {
            segments.add(segment(at.getElement(-1)));
        }
        return "$" + String.join("", segments.reversed());
    }

    private static String segment(Object element) {
        if (element instanceof Integer index) {
            return "[" + index + "]";
        }
        String name = element.toString();
        return SHORT_NAME.matcher(name).matches() ? "." + name : "['" + name.replace("'", "\\'") + "']";
    }
}

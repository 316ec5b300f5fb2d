package dev.assay.domain.schema;

import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.resource.AllowSchemaLoader;
import dev.assay.domain.pattern.GuardedPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of the JSON Schema library, and the wording of its errors. */
final class SchemaLibrary {

    static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    /** The library maps the published addresses of a draft to files of its own. */
    private static final Pattern OWN_DRAFT = Pattern.compile("classpath:draft/2020-12(/[a-z-]+)+");

    private static final Pattern SHORT_NAME =
            Pattern.compile("[A-Za-z_\\x{80}-\\x{10FFFF}][A-Za-z0-9_\\x{80}-\\x{10FFFF}]*");

    private static final int MAX_ERRORS = 3;

    /** Nothing is kept of the references that it follows: each path through a schema would stay in memory for ever. */
    private static final JsonSchema META = JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(SchemaLocation.of(DRAFT), config().cacheRefs(false).build());

    private SchemaLibrary() {}

    /** The schema of schemas. */
    static JsonSchema meta() {
        return META;
    }

    /** The factory that reads one schema and applies it once, and counts that. */
    static JsonSchemaFactory counted(SchemaSteps steps) {
        JsonMetaSchema counted = JsonMetaSchema.builder(DRAFT, JsonMetaSchema.getV202012())
                // They would bring back the keywords that are not counted.
                .vocabularies(vocabularies -> vocabularies.clear())
                .keywords(keywords -> keywords.putAll(JsonMetaSchema.getV202012().getKeywords().values().stream()
                        // The library takes no other `format`; it only notes what a schema says.
                        .filter(keyword -> !keyword.getValue().equals("format"))
                        .collect(Collectors.toMap(
                                keyword -> keyword.getValue(), keyword -> new CountedKeyword(keyword, steps)))))
                .build();
        return JsonSchemaFactory.getInstance(
                VersionFlag.V202012,
                factory -> factory.metaSchema(counted)
                        .schemaLoaders(loaders -> loaders.add(new AllowSchemaLoader(
                                iri -> OWN_DRAFT.matcher(iri.toString()).matches()))));
    }

    /** @param reads what all patterns together may read */
    static SchemaValidatorsConfig config(GuardedPattern.Reads reads) {
        return config().regularExpressionFactory(regex -> {
                    GuardedPattern pattern = GuardedPattern.compile(regex);
                    return text -> pattern.find(text, reads);
                })
                // Otherwise it would follow every path through the references of a schema before anything is applied.
                .preloadJsonSchema(false)
                .build();
    }

    /** Paths are JSON pointers, because the library knows no JSONPath for the name "". */
    private static SchemaValidatorsConfig.Builder config() {
        return SchemaValidatorsConfig.builder().locale(Locale.ROOT).pathType(PathType.JSON_POINTER);
    }

    /** The first errors, each with the place in the document as a JSONPath; null: there are none. */
    static @Nullable String sentence(Collection<ValidationMessage> errors) {
        return errors.isEmpty()
                ? null
                : errors.stream().limit(MAX_ERRORS).map(SchemaLibrary::sentence).collect(Collectors.joining("; "));
    }

    private static String sentence(ValidationMessage error) {
        String pointer = error.getInstanceLocation() + ": ";
        String message = error.getMessage();
        return message.startsWith(pointer)
                ? path(error.getInstanceLocation()) + ": " + message.substring(pointer.length())
                : message;
    }

    private static String path(JsonNodePath location) {
        List<String> segments = new ArrayList<>();
        for (JsonNodePath at = location; at.getElement(-1) != null; at = at.getParent()) {
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

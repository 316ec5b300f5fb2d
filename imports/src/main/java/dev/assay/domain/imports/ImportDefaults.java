package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What holds where an imported file says nothing.
 *
 * @param grader the model that grades, as a check's {@code grader}; null: none
 * @param embedder the model that computes embeddings, in the same form; null: none
 * @param providers the providers that the operator has named
 */
public record ImportDefaults(
        @Nullable ObjectNode grader, @Nullable ObjectNode embedder, Set<String> providers) {

    /** Nothing is said. */
    public static final ImportDefaults NONE = new ImportDefaults(null, null, Set.of());

    public ImportDefaults {
        providers = Set.copyOf(providers);
    }

    /** Those that the operator's file of providers states. */
    public static ImportDefaults of(JsonNode file) {
        Set<String> providers = new LinkedHashSet<>();
        file.path("providers").fieldNames().forEachRemaining(providers::add);
        return new ImportDefaults(model(file.path("grader")), model(file.path("embedder")), providers);
    }

    private static @Nullable ObjectNode model(JsonNode written) {
        return written instanceof ObjectNode object ? object : null;
    }

    /** The same, where a command names other models; null: it names none. */
    public ImportDefaults with(@Nullable ModelName otherGrader, @Nullable ModelName otherEmbedder) {
        return new ImportDefaults(
                otherGrader == null ? grader : otherGrader.json(),
                otherEmbedder == null ? embedder : otherEmbedder.json(),
                providers);
    }

    /** A model of a provider, as users name it on a command line. */
    public record ModelName(String provider, String model) {

        /** Reads {@code PROVIDER/MODEL}; null: it is not of that form. */
        public static @Nullable ModelName read(String written) {
            int slash = written.indexOf('/');
            return slash < 1 || slash == written.length() - 1
                    ? null
                    : new ModelName(written.substring(0, slash), written.substring(slash + 1));
        }

        ObjectNode json() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("provider", provider)
                    .put("model", model);
        }
    }
}

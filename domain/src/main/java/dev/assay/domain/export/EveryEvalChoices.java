package dev.assay.domain.export;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user says of an export to Every Eval Ever.
 *
 * @param organization that evaluated
 * @param relationship of it to the developer of the model
 * @param developer of the models; null: as their names say
 * @param redact whether prompts, references and responses are replaced by their SHA-256
 */
public record EveryEvalChoices(
        String organization, String relationship, @Nullable String developer, boolean redact) {

    /** The relationships that the form knows. */
    public static final List<String> RELATIONSHIPS = List.of("first_party", "third_party", "collaborative", "other");

    private static final Map<String, String> DEVELOPERS =
            Map.of("openai", "openai", "anthropic", "anthropic", "google", "google", "mistral", "mistral");

    /** The developer of a model. */
    String developerOf(String provider, String model) {
        if (developer != null) {
            return developer;
        }
        int slash = model.indexOf('/');
        return slash > 0 ? model.substring(0, slash) : DEVELOPERS.getOrDefault(provider, "unknown");
    }
}

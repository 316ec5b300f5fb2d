package dev.assay.domain.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * The origin of an answer, in the endpoint's own words: each on one line of at most {@value Excerpt#LENGTH} characters, and not to
 * be trusted.
 *
 * @param model the name of the model that answered; null: not said
 * @param fingerprint of the system that ran it ({@code system_fingerprint}); null: not said
 * @param serviceTier the tier that is paid for; null: not said
 * @param metadata what own code says beside its answer, as it can be stored; null: nothing
 */
public record Served(
        @Nullable String model,
        @Nullable String fingerprint,
        @Nullable String serviceTier,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode metadata) {

    /** The origin of an answer that no own code gave. */
    public Served(@Nullable String model, @Nullable String fingerprint, @Nullable String serviceTier) {
        this(model, fingerprint, serviceTier, null);
    }

    public Served {
        metadata = metadata == null || metadata.isNull() ? null : StorableJson.of(metadata);
        model = line(model);
        fingerprint = line(fingerprint);
        serviceTier = line(serviceTier);
    }

    private static @Nullable String line(@Nullable String said) {
        String line = said == null ? "" : Excerpt.of(said);
        return line.isEmpty() ? null : line;
    }
}

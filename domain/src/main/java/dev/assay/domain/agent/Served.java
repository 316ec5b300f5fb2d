package dev.assay.domain.agent;

import dev.assay.domain.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * The origin of an answer, in the endpoint's own words: each on one line of at most {@value Excerpt#LENGTH} characters, and not to
 * be trusted.
 *
 * @param model the name of the model that answered; null: not said
 * @param fingerprint of the system that ran it ({@code system_fingerprint}); null: not said
 * @param serviceTier the tier that is paid for; null: not said
 */
public record Served(
        @Nullable String model,
        @Nullable String fingerprint,
        @Nullable String serviceTier) {

    public Served {
        model = line(model);
        fingerprint = line(fingerprint);
        serviceTier = line(serviceTier);
    }

    private static @Nullable String line(@Nullable String said) {
        String line = said == null ? "" : Excerpt.of(said);
        return line.isEmpty() ? null : line;
    }
}

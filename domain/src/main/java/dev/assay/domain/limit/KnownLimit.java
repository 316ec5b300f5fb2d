package dev.assay.domain.limit;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a limit: units a period, by where they come from.
 *
 * @param configured the least of what live workers are configured with; null: they say nothing
 * @param manual what a person set; null: nobody did
 * @param header what answers of the provider say; null: none did
 */
public record KnownLimit(
        @Nullable Long configured,
        @Nullable Long manual,
        @Nullable Long header) {

    public KnownLimit {
        if (configured == null && manual == null && header == null) {
            throw new IllegalArgumentException("Nothing is known of the limit");
        }
    }

    /** What is known when a person takes {@code units} for the limit, or for null takes that back; null: nothing is. */
    public static @Nullable KnownLimit withManual(@Nullable KnownLimit before, @Nullable Long units) {
        Long configured = before == null ? null : before.configured;
        Long header = before == null ? null : before.header;
        return configured == null && units == null && header == null ? null : new KnownLimit(configured, units, header);
    }

    /** The same when answers of the provider say {@code units}. */
    public KnownLimit withHeader(long units) {
        return new KnownLimit(configured, manual, units);
    }

    /** The limit that holds. */
    public EffectiveLimit inForce() {
        EffectiveLimit known = EffectiveLimit.of(configured, manual, header, true);
        if (known == null) {
            throw new IllegalStateException("Nothing is known of the limit");
        }
        return known;
    }
}

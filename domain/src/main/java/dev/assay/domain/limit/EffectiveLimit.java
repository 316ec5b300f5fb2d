package dev.assay.domain.limit;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A limit in force. */
public record EffectiveLimit(long limit, Why why) {

    /** The origin of a limit. */
    public enum Why {
        /** The operator's file. */
        CONFIGURED,
        /** A person changed it while workers ran. */
        MANUAL,
        /** Answers or refusals of the provider say it. */
        HEADER;

        /** As the API and the tables call it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The limit in force: what a person set, else what is configured; what answers say where that is lower, or nothing else is
     * known.
     *
     * @param configured null: the file says nothing
     * @param manual null: nobody set one
     * @param header null: no answer said one
     * @param learns whether answers count
     * @return null: no limit is known
     */
    public static @Nullable EffectiveLimit of(
            @Nullable Long configured, @Nullable Long manual, @Nullable Long header, boolean learns) {
        EffectiveLimit set = manual != null
                ? new EffectiveLimit(manual, Why.MANUAL)
                : configured == null ? null : new EffectiveLimit(configured, Why.CONFIGURED);
        boolean lower = header != null && (set == null || header < set.limit);
        return learns && header != null && lower ? new EffectiveLimit(header, Why.HEADER) : set;
    }
}

package dev.assay.store.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the audit that are wanted; null: it does not matter.
 *
 * @param who only of this author
 * @param object only about this id
 * @param from not before this time
 * @param refused only refused ones, or only others
 */
public record AuditFilter(
        @Nullable String who,
        @Nullable String object,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Boolean refused) {

    /** Every row. */
    public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null);
}

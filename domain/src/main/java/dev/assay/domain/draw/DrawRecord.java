package dev.assay.domain.draw;

import org.jspecify.annotations.Nullable;

/**
 * What is recorded of an answer beside itself.
 *
 * @param request what it answers; null: it cannot be reused
 * @param origin where it comes from; null: it was asked for
 * @param delivered how a batch of the provider brought it; null: it was asked live
 */
public record DrawRecord(
        @Nullable RequestName request,
        @Nullable AnswerOrigin origin,
        @Nullable Delivered delivered) {

    /** An answer that was asked for, and that cannot be reused. */
    public static final DrawRecord NONE = new DrawRecord(null, null);

    /** An answer that was given live. */
    public DrawRecord(@Nullable RequestName request, @Nullable AnswerOrigin origin) {
        this(request, origin, null);
    }
}

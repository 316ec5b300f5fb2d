package dev.assay.domain.draw;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the answer of an outcome comes from.
 *
 * @param draw what it is a copy of; null: this outcome is its first record
 * @param answeredAt when it was first given
 * @param redrawn whether the cell of the draw was asked again after it had passed or failed
 */
public record AnswerOrigin(AnswerSource source, @Nullable Draw draw, Instant answeredAt, boolean redrawn) {

    /** Of a cell that was not asked again, or of which that does not matter. */
    public AnswerOrigin(AnswerSource source, @Nullable Draw draw, Instant answeredAt) {
        this(source, draw, answeredAt, false);
    }
}

package dev.assay.domain.draw;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the answer of an outcome comes from.
 *
 * @param draw what it is a copy of; null: this outcome is its first record
 * @param answeredAt when it was first given
 */
public record AnswerOrigin(AnswerSource source, @Nullable Draw draw, Instant answeredAt) {}

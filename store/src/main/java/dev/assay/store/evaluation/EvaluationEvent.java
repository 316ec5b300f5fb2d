package dev.assay.store.evaluation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in an evaluation.
 *
 * @param number from 1 in its evaluation, without gaps
 * @param loopId the loop; null for events of the evaluation itself
 * @param name such as {@code TurnStart}
 * @param body the event as JSON
 */
public record EvaluationEvent(long number, @Nullable String loopId, String name, String body, Instant at) {}

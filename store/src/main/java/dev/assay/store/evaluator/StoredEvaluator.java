package dev.assay.store.evaluator;

import dev.assay.domain.evaluator.Evaluator;
import java.time.Instant;

/**
 * An evaluator on record.
 *
 * @param firstSeenAt when a worker first used it
 */
public record StoredEvaluator(Evaluator evaluator, Instant firstSeenAt) {}

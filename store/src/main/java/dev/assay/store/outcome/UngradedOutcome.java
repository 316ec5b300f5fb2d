package dev.assay.store.outcome;

import dev.assay.domain.grading.Prepared;
import dev.assay.domain.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * An outcome that waits for grades or own code, with its transcript.
 *
 * @param prepared what own code left for its graders; null: own code has not run, or there is none
 */
public record UngradedOutcome(Outcome outcome, @Nullable Prepared prepared) {}

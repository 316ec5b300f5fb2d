package dev.assay.store.result;

import dev.assay.domain.outcome.OutcomeStatus;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of outcomes; null components do not restrict it.
 *
 * @param trial of this repetition, from 1
 * @param passed that passed, or did not; outcomes without evidence are neither
 */
public record OutcomeFilter(
        @Nullable String caseId,
        @Nullable String branchId,
        @Nullable Integer trial,
        @Nullable OutcomeStatus status,
        @Nullable Boolean passed) {

    /** All outcomes. */
    public static final OutcomeFilter ALL = new OutcomeFilter(null, null, null, null, null);
}

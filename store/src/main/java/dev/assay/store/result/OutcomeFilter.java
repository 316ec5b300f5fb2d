package dev.assay.store.result;

import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.outcome.OutcomeStatus;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of outcomes; null components do not restrict it.
 *
 * @param trial of this repetition, from 1
 * @param passed that passed, or did not; outcomes without evidence are neither
 * @param label of which people say so
 * @param source whose answers come from there
 */
public record OutcomeFilter(
        @Nullable String caseId,
        @Nullable String branchId,
        @Nullable Integer trial,
        @Nullable OutcomeStatus status,
        @Nullable Boolean passed,
        @Nullable LabelState label,
        @Nullable AnswerSource source) {

    /** All outcomes. */
    public static final OutcomeFilter ALL = new OutcomeFilter(null, null, null, null, null);

    /** A filter that looks neither at labels nor at where answers come from. */
    public OutcomeFilter(
            @Nullable String caseId,
            @Nullable String branchId,
            @Nullable Integer trial,
            @Nullable OutcomeStatus status,
            @Nullable Boolean passed) {
        this(caseId, branchId, trial, status, passed, null, null);
    }
}

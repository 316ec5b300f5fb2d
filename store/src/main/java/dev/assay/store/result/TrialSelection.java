package dev.assay.store.result;

import dev.assay.domain.selection.Selection;
import java.time.Instant;

/**
 * The recorded decision for one trial.
 *
 * @param trial which repetition, from 1
 * @param complete whether all cells of the trial are final
 */
public record TrialSelection(
        int ordinal, int caseIndex, int trial, boolean complete, Selection selection, Instant finishedAt) {}

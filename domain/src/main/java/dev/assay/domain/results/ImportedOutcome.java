package dev.assay.domain.results;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome that another tool recorded.
 *
 * @param place the cell
 * @param answer with the messages that were said; empty: only the response is known
 * @param checks what the tool's scorers said
 * @param passed the tool's verdict; null: no evidence
 * @param score the tool's score of the trial; null: not said
 * @param delivered the batch of the provider that brought it; null: none, or the tool does not say
 */
public record ImportedOutcome(
        Place place,
        Outcome.End end,
        Outcome.Answer answer,
        Measured measured,
        List<CheckResult> checks,
        @Nullable Boolean passed,
        @Nullable Double score,
        List<String> warnings,
        @Nullable Delivered delivered) {

    public ImportedOutcome {
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
    }

    /**
     * A cell by the words of its file.
     *
     * @param trial which repetition, from 1
     */
    public record Place(String caseId, String branchId, int trial) {}
}

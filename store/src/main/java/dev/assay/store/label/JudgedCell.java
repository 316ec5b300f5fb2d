package dev.assay.store.label;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.draw.Draw;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer that counts, and what evaluators said of it.
 *
 * @param trial which repetition, from 1
 * @param passed whether the trial passes; null: no evidence
 */
public record JudgedCell(
        int ordinal,
        int branchIndex,
        String caseId,
        String branchId,
        int trial,
        Draw draw,
        @Nullable Boolean passed,
        List<CheckResult> checks) {

    public JudgedCell {
        checks = List.copyOf(checks);
    }
}

package dev.assay.web.label;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.store.label.CellLabel;
import dev.assay.web.outcome.LabelView;

/**
 * A label and the cell that holds its answer.
 *
 * @param trial which repetition of the case, from 1
 */
record ListedLabel(
        String caseId,
        String branchId,
        int trial,
        @JsonUnwrapped LabelView label) {

    static ListedLabel of(CellLabel row) {
        return new ListedLabel(row.caseId(), row.branchId(), row.trial(), LabelView.of(row.label()));
    }
}

package dev.assay.web.outcome;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.store.result.SelectionRow;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/**
 * The decision for one trial, with everything that judges read and said.
 *
 * @param trial which repetition of the case, from 1
 * @param selection the decision, its fields beside these
 * @param complete whether all cells of the trial are final; if not, it is decided again
 * @param finishedAt when it was recorded
 * @param judge the judge calls, in order; empty when no model judged it
 */
@Schema(name = "TrialSelection")
public record TrialSelectionView(
        @Schema(example = "france") String caseId,
        int trial,
        @JsonUnwrapped SelectionView selection,
        boolean complete,
        Instant finishedAt,
        List<JudgeCallView> judge) {

    public TrialSelectionView {
        judge = List.copyOf(judge);
    }

    static TrialSelectionView of(SelectionRow row, CampaignDefinition definition) {
        return new TrialSelectionView(
                row.caseId(),
                row.trial().trial(),
                SelectionView.of(row.trial().selection(), definition),
                row.trial().complete(),
                row.trial().finishedAt(),
                row.judgeCalls().stream()
                        .map(call -> JudgeCallView.of(call, definition))
                        .toList());
    }
}

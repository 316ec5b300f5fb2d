package dev.assay.web.outcome;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.selection.Selection;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategy's decision for a trial.
 *
 * @param selectedIndex 0-based, into the campaign's branches; null when no branch completed
 * @param selectedBranchId the same by name; null when no branch completed
 * @param strategy its type
 * @param reason why, for people
 * @param fallback whether the strategy could not decide and took its stated default
 * @param decided whether the strategy chose among several branches; a win, unless it is tied
 * @param tied whether several were as good as each other, and a rule for ties chose
 * @param votes what each judge made of the responses; empty when none was asked
 */
@Schema(name = "Selection")
public record SelectionView(
        @Nullable Integer selectedIndex,
        @Nullable String selectedBranchId,
        String strategy,
        String reason,
        boolean fallback,
        boolean decided,
        boolean tied,
        List<VoteView> votes) {

    public SelectionView {
        votes = List.copyOf(votes);
    }

    /** As clients see it. */
    public static SelectionView of(Selection selection, CampaignDefinition definition) {
        return new SelectionView(
                selection.selectedIndex(),
                BranchIds.of(selection.selectedIndex(), definition),
                selection.strategy(),
                selection.reason(),
                selection.fallback(),
                selection.decided(),
                selection.tied(),
                selection.votes().stream()
                        .map(vote -> VoteView.of(vote, definition))
                        .toList());
    }
}

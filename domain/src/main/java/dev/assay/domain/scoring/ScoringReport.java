package dev.assay.domain.scoring;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.evaluator.UsedEvaluators;
import dev.assay.domain.gate.Verdict;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a scoring changes of the verdicts of a campaign. The names are those of its JSON.
 *
 * @param of the campaign that was scored
 * @param campaign the scoring
 * @param complete whether it has ended
 * @param progress how far it is
 * @param unscored why checks did not decide, the reason of most cells first
 * @param evaluators who gave the verdicts
 * @param verdicts of the two gates
 * @param warnings as sentences
 * @param branches in their order
 * @param flips a page of them, in the order of {@link ScoredFlip#ORDER}
 */
public record ScoringReport(
        String of,
        String campaign,
        boolean complete,
        @JsonUnwrapped Progress progress,
        List<UnscoredReason> unscored,
        UsedEvaluators evaluators,
        Verdicts verdicts,
        List<String> warnings,
        List<ScoredBranch> branches,
        List<ScoredFlip> flips) {

    public ScoringReport {
        unscored = List.copyOf(unscored);
        warnings = List.copyOf(warnings);
        branches = List.copyOf(branches);
        flips = List.copyOf(flips);
    }

    /**
     * How far a scoring is, and what it took.
     *
     * @param cells that are scored in all
     * @param scored those that have their verdict or the reason why they have none
     * @param calls of graders and judges that were made
     * @param costUsd of those calls in US dollars; null where no price is known
     */
    public record Progress(
            int cells, int scored, long calls, @Nullable BigDecimal costUsd) {}

    /**
     * The verdicts of two gates; null: it has none yet.
     */
    public record Verdicts(
            @Nullable Verdict before, @Nullable Verdict after) {}
}

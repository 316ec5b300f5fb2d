package dev.assay.domain.report;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.domain.statistics.judging.KrippendorffAlpha;
import dev.assay.domain.statistics.judging.PositionBias;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sums of the usage and votes of judges. */
final class JudgeTally {

    /** The value of a judge that named responses but could not decide. Judges can agree on it. */
    private static final String TIE = "tie";

    private final KrippendorffAlpha<String> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
    private final PositionBias.Counter places = new PositionBias.Counter();
    private final @Nullable PairTally pairs;
    private boolean severalJudges;
    private boolean oneOrder;
    private int calls;
    private int shortened;
    private int overLimit;
    private Spend spend = Spend.NONE;

    /** @param pairs where comparisons of two are counted; null: branches are not compared in pairs */
    JudgeTally(@Nullable PairTally pairs) {
        this.pairs = pairs;
    }

    /** @param compaction what was cut of the texts that the judge read */
    void addCall(Spend used, Compaction compaction) {
        calls++;
        shortened += compaction.iteration() > 0 ? 1 : 0;
        overLimit += compaction.satisfied() ? 0 : 1;
        spend = spend.plus(used);
    }

    void addUse(Usage usage) {
        spend = spend.plus(Spend.of(usage, null));
    }

    void add(int caseIndex, List<JudgeVote> votes) {
        ResponseComparison.of(votes).forEach(comparison -> {
            severalJudges |= comparison.votes().size() > 1;
            alpha.add(
                    caseIndex,
                    comparison.counted().stream()
                            .map(vote -> value(comparison.branches(), vote.choice()))
                            .toList());
            if (pairs != null) {
                pairs.add(caseIndex, comparison);
            }
        });
        votes.forEach(vote -> {
            vote.readings().forEach(this::read);
            oneOrder |= vote.readings().stream()
                            .map(reading -> reading.shown().getFirst())
                            .distinct()
                            .count()
                    == 1;
        });
    }

    /**
     * The place of the chosen branch among those compared. Branch numbers would make judges that toss coins seem to agree: the pair
     * that is compared limits which branch can be chosen.
     */
    private static String value(List<Integer> branches, @Nullable Integer choice) {
        return choice == null ? TIE : Integer.toString(branches.indexOf(choice));
    }

    private void read(ParsedReply reading) {
        if (reading.choice() != null) {
            places.add(
                    reading.shown().indexOf(reading.choice()), reading.shown().size());
        }
    }

    Spend spend() {
        return spend;
    }

    CampaignSummary.JudgeCalls summarize() {
        @Nullable Agreement agreement = severalJudges ? alpha.agreement(Quantiles.LEVEL) : null;
        PositionBias bias = places.bias();
        return new CampaignSummary.JudgeCalls(
                calls,
                spend,
                agreement,
                pairs == null ? List.of() : pairs.ranking(),
                pairs == null ? List.of() : pairs.chances(),
                bias.of() == 0 ? null : PositionSummary.of(bias, oneOrder),
                shortened,
                overLimit);
    }
}

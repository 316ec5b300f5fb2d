package dev.assay.domain.report;

import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.statistics.Agreement;
import dev.assay.domain.statistics.KrippendorffAlpha;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up what judges took, and what they said. */
final class JudgeTally {

    /** What a judge says that named responses but could not decide: a value of its own, on which judges can agree. */
    private static final String TIE = "tie";

    private final KrippendorffAlpha<String> alpha = new KrippendorffAlpha<>();
    private final @Nullable PairTally pairs;
    private boolean severalJudges;
    private int calls;
    private Spend spend = Spend.NONE;

    /** @param pairs where comparisons of two are counted; null: branches are not compared in pairs */
    JudgeTally(@Nullable PairTally pairs) {
        this.pairs = pairs;
    }

    void addCall(Usage usage, @Nullable BigDecimal costUsd) {
        calls++;
        spend = spend.plus(Spend.of(usage, costUsd));
    }

    void addUse(Usage usage) {
        spend = spend.plus(Spend.of(usage, null));
    }

    void add(List<JudgeVote> votes) {
        ResponseComparison.of(votes).forEach(comparison -> {
            severalJudges |= comparison.votes().size() > 1;
            alpha.add(comparison.counted().stream().map(JudgeTally::value).toList());
            if (pairs != null) {
                pairs.add(comparison);
            }
        });
    }

    private static String value(JudgeVote vote) {
        return vote.choice() == null ? TIE : vote.choice().toString();
    }

    Spend spend() {
        return spend;
    }

    CampaignSummary.JudgeCalls summarize() {
        @Nullable Agreement agreement = severalJudges ? alpha.agreement() : null;
        return new CampaignSummary.JudgeCalls(calls, spend, agreement, pairs == null ? List.of() : pairs.ranking());
    }
}

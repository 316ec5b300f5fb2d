package dev.assay.web.label;

import dev.assay.domain.label.CalibrationTally;
import dev.assay.domain.label.CorrectedRate.Why;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.JudgedCell;
import dev.assay.store.label.StoredSample;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was seen of one branch. Not safe for use by several threads. */
final class CalibrationBranch {

    /** Stands for a verdict of which a build noted no evaluator. */
    static final String UNKNOWN = "";

    private final CalibrationTally tally = new CalibrationTally();
    private final Map<Integer, String> byCase = new HashMap<>();
    private final Map<String, Long> evaluators = new TreeMap<>();
    private final Set<String> origins = new HashSet<>();
    private boolean mixed;
    private long answers;

    CalibrationTally tally() {
        return tally;
    }

    /** Whether trials of one case were decided by different evaluators. */
    boolean isMixed() {
        return mixed;
    }

    /** The answers that each evaluator decided. */
    Map<String, Long> evaluators() {
        return evaluators;
    }

    /** Notes an answer, and who decided it; null: nobody did. */
    void add(int caseIndex, JudgedCell cell, @Nullable String evaluator) {
        answers++;
        origins.add(cell.draw().campaign());
        if (evaluator != null) {
            evaluators.merge(evaluator, 1L, Long::sum);
            String before = byCase.putIfAbsent(caseIndex, evaluator);
            mixed |= before != null && !before.equals(evaluator);
        }
    }

    long answers() {
        return answers;
    }

    /** Why labels must not correct the rate; null: they may. */
    @Nullable
    Why obstacle(StoredCampaign campaign, String branchId, @Nullable StoredSample sample) {
        if (mixed) {
            return Why.MIXED_EVALUATORS;
        }
        boolean isSampled = sample != null
                && sample.branches().contains(branchId)
                && (sample.campaignId().equals(campaign.id()) || origins.equals(Set.of(sample.campaignId())));
        return isSampled ? null : Why.NOT_SAMPLED;
    }
}

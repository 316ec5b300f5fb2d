package dev.assay.workflows.slice;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.text.Utf8;
import java.util.List;
import java.util.Map;

/** The lines that the Temporal UI shows beside a slice's activities. */
final class BatchSummary {

    /** Temporal refuses more than 400 bytes; the rest is left to quotes that JSON escapes. */
    static final int MOST_BYTES = 300;

    private static final String SEPARATOR = " · ";
    private static final String BEFORE_TRIAL = ", trial ";

    /** Trial number to a label such as {@code france, trial 3}; need not know every trial. */
    private final Map<Integer, String> labels;

    BatchSummary(Map<Integer, String> labels) {
        this.labels = labels;
    }

    /** For example {@code france · haiku · trial 3} or {@code haiku · 40 cells from lyon, trial 2}. */
    String generation(String branchId, List<OrdinalRange> trials) {
        int first = trials.getFirst().from();
        int count = OrdinalRanges.size(trials);
        if (count > 1) {
            return shortened(branchId + SEPARATOR + count + " cells from " + name(first));
        }
        String label = labels.get(first);
        int cut = label == null ? -1 : label.lastIndexOf(BEFORE_TRIAL);
        if (label == null || cut < 0) {
            return shortened(branchId + SEPARATOR + name(first));
        }
        String trial = label.substring(cut + ", ".length());
        return shortened(label.substring(0, cut) + SEPARATOR + branchId + SEPARATOR + trial);
    }

    /** For example {@code select · france, trial 3} or {@code select · 40 trials from lyon, trial 2}. */
    String selection(List<OrdinalRange> trials) {
        return ofTrials("select", trials);
    }

    /** For example {@code judge gpt-5 · france, trial 3} or {@code judge gpt-5 · 40 trials from lyon, trial 2}. */
    String judging(TrialJudges judges, List<OrdinalRange> trials) {
        return ofTrials(judges.names(), trials);
    }

    private String ofTrials(String what, List<OrdinalRange> trials) {
        int count = OrdinalRanges.size(trials);
        String from = name(trials.getFirst().from());
        return shortened(what + SEPARATOR + (count > 1 ? count + " trials from " + from : from));
    }

    private String name(int trial) {
        String label = labels.get(trial);
        return label == null ? "trial number " + trial : label;
    }

    private static String shortened(String text) {
        String ellipsis = "…";
        return Utf8.length(text) <= MOST_BYTES ? text : Utf8.first(text, MOST_BYTES - Utf8.length(ellipsis)) + ellipsis;
    }
}

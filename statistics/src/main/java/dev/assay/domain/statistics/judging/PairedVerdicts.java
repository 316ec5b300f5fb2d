package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.CaseCounts;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Adds up what two say of the same trials, by case: trials of one case are no independent ones. Not safe for use by several
 * threads.
 */
public final class PairedVerdicts {

    private final SortedMap<Integer, Confusion> byCase = new TreeMap<>();

    /** Adds a trial of a case: whether the first and the second say that it passes. */
    public void add(int caseIndex, boolean first, boolean second) {
        byCase.merge(caseIndex, Confusion.of(first, second), Confusion::plus);
    }

    /** The counts of all trials. */
    public Confusion counts() {
        return byCase.values().stream().reduce(Confusion.NONE, Confusion::plus);
    }

    /** Agreement beyond chance. */
    public Kappa kappa(double level) {
        return Kappa.of(byCase.values(), level);
    }

    /** The share of trials of which both say the same. */
    public Share agreement(double level) {
        return share(Confusion::agreed, Confusion::trials, level);
    }

    /** Of what the first passes, the share that the second passes. */
    public Share sensitivity(double level) {
        return share(Confusion::bothPass, Confusion::firstPasses, level);
    }

    /** Of what the first fails, the share that the second fails. */
    public Share specificity(double level) {
        return share(Confusion::bothFail, Confusion::firstFails, level);
    }

    private Share share(ToIntFunction<Confusion> successes, ToIntFunction<Confusion> trials, double level) {
        return Share.of(
                byCase.values().stream()
                        .filter(one -> trials.applyAsInt(one) > 0)
                        .map(one -> new CaseCounts(successes.applyAsInt(one), 0, trials.applyAsInt(one)))
                        .toList(),
                level);
    }
}

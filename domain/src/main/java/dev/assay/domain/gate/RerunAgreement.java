package dev.assay.domain.gate;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The probability that the same campaign, run again, gets the same verdict. */
public final class RerunAgreement {

    private RerunAgreement() {}

    /**
     * The probability, 0–1; null for an INCONCLUSIVE verdict, and where that of a branch is not known.
     *
     * @param passes how probable each gated branch passes, run again: {@code RerunForecast}; a campaign passes when all do
     */
    public static @Nullable Double of(Verdict verdict, List<@Nullable Double> passes) {
        if (verdict == Verdict.INCONCLUSIVE || passes.stream().anyMatch(Objects::isNull)) {
            return null;
        }
        double all = 1;
        for (Double branch : passes) {
            all *= Objects.requireNonNull(branch);
        }
        return verdict == Verdict.PASS ? all : 1 - all;
    }
}

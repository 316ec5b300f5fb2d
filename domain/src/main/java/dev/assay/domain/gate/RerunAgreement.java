package dev.assay.domain.gate;

import dev.assay.domain.statistics.forecast.Chance;
import dev.assay.domain.statistics.forecast.RerunChances;
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

    /**
     * The same where a branch may be INCONCLUSIVE.
     *
     * @param each the chances of each gated branch; null: not known
     */
    public static @Nullable Double ofChances(Verdict verdict, List<@Nullable RerunChances> each) {
        Chance passes = passes(each);
        Chance fails = fails(each);
        return switch (verdict) {
            case PASS -> passes == null ? null : (Double) passes.value();
            case FAIL -> fails == null ? null : (Double) fails.value();
            case INCONCLUSIVE -> null;
        };
    }

    /** How probable one gated branch fails, run again; null where that of one is not known. */
    public static @Nullable Chance fails(List<@Nullable RerunChances> each) {
        return each.contains(null)
                ? null
                : each.stream()
                        .map(Objects::requireNonNull)
                        .map(one -> one.fail().not())
                        .reduce(Chance.ALWAYS, Chance::and)
                        .not();
    }

    /** How probable all gated branches pass, run again; null where that of one is not known. */
    public static @Nullable Chance passes(List<@Nullable RerunChances> each) {
        return each.contains(null)
                ? null
                : each.stream()
                        .map(Objects::requireNonNull)
                        .map(RerunChances::pass)
                        .reduce(Chance.ALWAYS, Chance::and);
    }
}

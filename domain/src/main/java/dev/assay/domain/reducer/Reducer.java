package dev.assay.domain.reducer;

import dev.assay.domain.statistics.AtLeast;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.ReducedRate;
import dev.assay.domain.statistics.ScoreReducer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A rule by which the trials of a case become one number, 0–1. */
public sealed interface Reducer {

    /** The name that users write. */
    String name();

    /** Trials with evidence that a case needs, at least 1; with fewer it has no value. */
    int leastTrials();

    /** Whether its number leans to one side with more trials, so that only cases with as many trials can be compared. */
    boolean dependsOnTrials();

    /** The number of a case that has enough trials; null: none of them has a score. */
    @Nullable
    Double reduced(CaseScores enough);

    /** {@code pass_at_K}, {@code pass_k_K}, {@code at_least_J_of_K}: the estimate for K trials, from all there are. */
    record Estimated(String name, AtLeast rule) implements Reducer {

        @Override
        public int leastTrials() {
            return rule.of();
        }

        /** An estimate that is unbiased for any number of trials. */
        @Override
        public boolean dependsOnTrials() {
            return false;
        }

        @Override
        public @Nullable Double reduced(CaseScores enough) {
            return rule.probability(enough.counts().passed(), enough.counts().known());
        }
    }

    /** {@code at_least_K}: 1 when K of the trials there are passed, else 0. */
    record Reached(String name, int passes) implements Reducer {

        @Override
        public int leastTrials() {
            return passes;
        }

        @Override
        public boolean dependsOnTrials() {
            return true;
        }

        @Override
        public Double reduced(CaseScores enough) {
            return enough.counts().passed() >= passes ? 1.0 : 0.0;
        }
    }

    /** {@code mean}, {@code median}, {@code mode}, {@code max}, {@code min} of the scores. */
    record Scored(ScoreReducer reducer) implements Reducer {

        @Override
        public String name() {
            return reducer.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public int leastTrials() {
            return 1;
        }

        @Override
        public boolean dependsOnTrials() {
            return reducer != ScoreReducer.MEAN;
        }

        @Override
        public @Nullable Double reduced(CaseScores enough) {
            return reducer.reduce(
                    enough.scores().stream().mapToDouble(score -> score).toArray());
        }
    }

    /** Whether it is the mean of the scores. */
    default boolean isMean() {
        return this instanceof Scored(ScoreReducer reducer) && reducer == ScoreReducer.MEAN;
    }

    /**
     * The number of a case; null where it has too few trials with evidence.
     *
     * @param one its trials; what is unknown is left out
     */
    default @Nullable Double of(CaseScores one) {
        return one.counts().known() < leastTrials() ? null : reduced(one);
    }

    /** As {@link #of(CaseScores)}, of trials that score 1 where they passed and else 0. */
    default @Nullable Double of(CaseCounts one) {
        return of(CaseScores.of(one));
    }

    /** The mean over cases, with its interval; cases without a number are counted apart. */
    default ReducedRate rate(Collection<CaseScores> cases, double level) {
        Map<CaseScores, @Nullable Double> known = new HashMap<>();
        List<@Nullable Double> values = new ArrayList<>();
        for (CaseScores one : cases) {
            if (!known.containsKey(one)) {
                known.put(one, of(one));
            }
            values.add(known.get(one));
        }
        return ReducedRate.of(values, level);
    }

    /**
     * The reducer of a name; null when there is none.
     *
     * @param name such as {@code pass_at_5}, {@code pass_k_5}, {@code at_least_3}, {@code at_least_3_of_5}, {@code median}
     */
    static @Nullable Reducer named(String name) {
        for (ScoreReducer score : ScoreReducer.values()) {
            if (score.name().toLowerCase(Locale.ROOT).equals(name)) {
                return new Scored(score);
            }
        }
        Matcher matcher = Names.PATTERN.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        int number = Integer.parseInt(matcher.group(2));
        String of = matcher.group(3);
        return switch (matcher.group(1)) {
            case "pass_at" -> of == null ? new Estimated(name, AtLeast.passAt(number)) : null;
            case "pass_k" -> of == null ? new Estimated(name, AtLeast.passAll(number)) : null;
            default -> {
                if (of == null) {
                    yield new Reached(name, number);
                }
                int trials = Integer.parseInt(of);
                yield trials < number ? null : new Estimated(name, new AtLeast(number, trials));
            }
        };
    }

    /** The spelling of names with numbers. */
    final class Names {
        private static final Pattern PATTERN =
                Pattern.compile("(pass_at|pass_k|at_least)_([1-9][0-9]{0,5})(?:_of_([1-9][0-9]{0,5}))?");

        private Names() {}
    }
}

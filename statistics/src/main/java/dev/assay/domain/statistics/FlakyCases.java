package dev.assay.domain.statistics;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cases that both passed and failed on the same branch. Errors and trials of which nothing is known make no case flaky.
 *
 * @param flaky the most disagreement first, then by id
 * @param share how many of {@code of} are flaky, 0–1; null when {@code of} is 0
 * @param interval the share's interval at 95 %, {@link ClopperPearson}; null as {@code share}
 * @param of cases with at least two trials that passed or failed
 */
public record FlakyCases(
        List<FlakyCase> flaky,
        @Nullable Double share,
        @Nullable Interval interval,
        int of) {

    public FlakyCases {
        flaky = List.copyOf(flaky);
    }

    /** The trials of a case by how they ended. */
    public record CaseTrials(String caseId, int passed, int failed, int errors, int unknown) {}

    /**
     * A case that both passed and failed. The names are those of its JSON.
     *
     * @param passed trials that passed, at least 1
     * @param failed trials that failed, at least 1; errors are not among them
     * @param errors trials that ended in an error
     * @param unknown trials of which nothing is known
     * @param disagreement how often two of its trials differ, 0–1: 2 s f / (n (n − 1)) with n = s + f, which is unbiased
     * @param passRate {@code passed / (passed + failed)}
     * @param low lower end of the pass rate's interval at 95 %, {@link ClopperPearson}
     */
    public record FlakyCase(
            String caseId,
            int passed,
            int failed,
            int errors,
            int unknown,
            double disagreement,
            double passRate,
            double low,
            double high) {

        /** Reads what is stored. Earlier builds wrote the ends of the interval into a field of that name. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static FlakyCase read(Stored stored) {
            Interval ends = stored.interval();
            return new FlakyCase(
                    stored.caseId(),
                    stored.passed(),
                    stored.failed(),
                    stored.errors(),
                    stored.unknown(),
                    stored.disagreement(),
                    stored.passRate(),
                    ends == null ? stored.low() : ends.low(),
                    ends == null ? stored.high() : ends.high());
        }

        /** A case as it is stored. */
        record Stored(
                String caseId,
                int passed,
                int failed,
                int errors,
                int unknown,
                double disagreement,
                double passRate,
                double low,
                double high,
                @Nullable Interval interval) {}

        private static FlakyCase of(CaseTrials trials, Map<CaseCounts, Interval> intervals) {
            double passed = trials.passed();
            int known = trials.passed() + trials.failed();
            Interval interval = intervals.computeIfAbsent(
                    new CaseCounts(trials.passed(), 0, known), _ -> ClopperPearson.of(passed / known, known));
            return new FlakyCase(
                    trials.caseId(),
                    trials.passed(),
                    trials.failed(),
                    trials.errors(),
                    trials.unknown(),
                    2 * passed * trials.failed() / ((double) known * (known - 1)),
                    passed / known,
                    interval.low(),
                    interval.high());
        }
    }

    /**
     * Whether a case both passed and failed.
     *
     * @param failed trials that failed by their answer; errors are not among them
     */
    public static boolean isFlaky(int passed, int failed) {
        return passed > 0 && failed > 0;
    }

    /** Those of {@code cases} that are flaky. */
    public static FlakyCases of(List<CaseTrials> cases) {
        List<FlakyCase> flaky = new ArrayList<>();
        // Many cases have the same counts, and an interval takes microseconds.
        Map<CaseCounts, Interval> intervals = new HashMap<>();
        int eligible = 0;
        for (CaseTrials trials : cases) {
            if (trials.passed() + trials.failed() < 2) {
                continue;
            }
            eligible++;
            if (isFlaky(trials.passed(), trials.failed())) {
                flaky.add(FlakyCase.of(trials, intervals));
            }
        }
        flaky.sort(
                Comparator.comparingDouble(FlakyCase::disagreement).reversed().thenComparing(FlakyCase::caseId));
        if (eligible == 0) {
            return new FlakyCases(flaky, null, null, 0);
        }
        double share = (double) flaky.size() / eligible;
        return new FlakyCases(flaky, share, ClopperPearson.of(share, eligible), eligible);
    }
}

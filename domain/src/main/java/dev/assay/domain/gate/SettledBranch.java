package dev.assay.domain.gate;

import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The settled verdict of a branch, whatever the unknown and missing trials will say. It is the early stop that always gives the
 * verdict of the full run.
 *
 * @param verdict PASS or FAIL when nothing can change it; INCONCLUSIVE: not settled
 * @param cases each case, in the order given; INCONCLUSIVE: not settled
 * @param open places of the cases whose trials still matter; empty when the branch is settled
 */
public record SettledBranch(Verdict verdict, List<CaseStatus> cases, List<Integer> open) {

    public SettledBranch {
        cases = List.copyOf(cases);
        open = List.copyOf(open);
    }

    /**
     * The settled part of a branch.
     *
     * @param cases at least one; what has not run is unknown
     * @param passThreshold share of its planned trials that a case needs, 0–1
     * @param suiteThreshold share of cases that must pass, 0–1
     */
    public static SettledBranch of(List<CaseCounts> cases, double passThreshold, double suiteThreshold) {
        List<CaseStatus> status = new ArrayList<>();
        cases.forEach(one -> status.add(CaseGate.of(one, passThreshold).status()));
        int passed = count(status, CaseStatus.PASSED);
        int open = count(status, CaseStatus.INCONCLUSIVE);
        Verdict verdict = Proportion.verdict(passed, open, cases.size(), suiteThreshold);
        List<Integer> places = verdict == Verdict.INCONCLUSIVE
                ? IntStream.range(0, status.size())
                        .filter(place -> status.get(place) == CaseStatus.INCONCLUSIVE)
                        .boxed()
                        .toList()
                : List.of();
        return new SettledBranch(verdict, status, places);
    }

    private static int count(List<CaseStatus> cases, CaseStatus status) {
        return (int) cases.stream().filter(one -> one == status).count();
    }
}

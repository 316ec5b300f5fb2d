package dev.assay.cli.report;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.statistics.FlakyCases.FlakyCase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Cases of branches as a table. */
public final class CaseTable {

    /** The choice of a branch's cases. */
    public enum Choice {
        /** Those that both passed and failed, the most disagreement first. */
        FLAKY,
        /** Those that failed, in the suite's order. */
        FAILED,
        /** Cells that ended in an error, each with its reason; {@link ErroredCells} lists them. */
        ERRORED,
        /** All, in the suite's order. */
        ALL
    }

    private CaseTable() {}

    /** The chosen cases of {@code branch}. */
    public static List<CaseSummary> cases(BranchSummary branch, Choice choice) {
        return switch (choice) {
            case ALL -> branch.cases();
            case FAILED ->
                branch.cases().stream()
                        .filter(one -> one.status() == CaseStatus.FAILED)
                        .toList();
            case ERRORED -> throw new IllegalArgumentException("Errors are of cells, not of cases");
            case FLAKY -> {
                Map<String, CaseSummary> byId =
                        branch.cases().stream().collect(Collectors.toMap(CaseSummary::caseId, Function.identity()));
                yield branch.repeatability().flakyCases().stream()
                        .map(flaky -> byId.get(flaky.caseId()))
                        .toList();
            }
        };
    }

    /** A row for each chosen case of each of {@code branches}. */
    public static String of(List<BranchSummary> branches, Choice choice) {
        TextTable table = new TextTable(
                List.of("Case", "Branch", "Status", "Passed", "95 % interval", "Unknown", "Disagreement"));
        for (BranchSummary branch : branches) {
            Map<String, Double> disagreement = branch.repeatability().flakyCases().stream()
                    .collect(Collectors.toMap(FlakyCase::caseId, FlakyCase::disagreement));
            cases(branch, choice)
                    .forEach(one -> table.row(List.of(
                            one.caseId(),
                            branch.branchId(),
                            one.status().name().toLowerCase(Locale.ROOT),
                            Numbers.percent(
                                            one.known() == null && one.noEvidence() == 0
                                                    ? (Double) one.passRate()
                                                    : one.known())
                                    + " (" + one.passCount() + "/" + (one.totalTrials() - one.noEvidence()) + ")",
                            Numbers.interval(one.low(), one.high()),
                            Numbers.count(one.noEvidence()),
                            Numbers.percent(disagreement.get(one.caseId())))));
        }
        return table.text();
    }
}

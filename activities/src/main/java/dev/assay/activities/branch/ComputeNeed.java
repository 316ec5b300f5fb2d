package dev.assay.activities.branch;

import dev.assay.domain.agent.InputFilter;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.suite.Case;

/** The rule of which cells need a compute process, as far as that is known before they are asked. */
final class ComputeNeed {

    private static final CheckInput NOTHING = CheckInput.of("");

    private ComputeNeed() {}

    static boolean of(Branch branch, Case suiteCase) {
        return !branch.tools().isEmpty()
                || branch.inputFilters().stream().anyMatch(filter -> filter.rule() instanceof InputFilter.Rule.Regex)
                || branch.agent().isSearched()
                || isComputed(branch, suiteCase)
                || suiteCase.checks().all().stream().anyMatch(check -> !check.isQuick(NOTHING));
    }

    private static boolean isComputed(Branch branch, Case suiteCase) {
        var template = branch.wording().template();
        return template != null
                && template.fillPlaces(suiteCase, branch.wording().templateVars()) == null;
    }
}

package dev.assay.domain.grading;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.suite.Case;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of branches of which an import left out a part: they are other answers than those that the imported file asks for. */
public final class LostAnswers {

    private LostAnswers() {}

    /** Whether the answers of a branch are such. */
    public static boolean areOf(Branch branch) {
        return branch.wording().lost() != null;
    }

    /** What the checks of a case say of such an answer, which is nothing; null: the branch lost nothing. */
    public static @Nullable List<CheckResult> results(Branch branch, Case suiteCase) {
        String lost = branch.wording().lost();
        if (lost == null) {
            return null;
        }
        Finding nothing =
                Finding.unscored("left out: " + lost + " of the imported file has no counterpart here, so this"
                        + " is another answer than the file asks for.");
        return suiteCase.checks().all().stream()
                .map(check -> CheckResult.lost(check.type(), nothing, check.role()))
                .toList();
    }
}

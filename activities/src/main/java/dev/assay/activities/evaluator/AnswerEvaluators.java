package dev.assay.activities.evaluator;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.evaluator.UsedCode;
import dev.assay.domain.grading.Transforms;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The evaluators of the answers of one branch to one case. */
public record AnswerEvaluators(EvaluatorBook book, StoredCampaign campaign, Branch branch, Case suiteCase)
        implements VerdictNames {

    @Override
    public String check(Check check, List<Interpreter> ran) {
        return book.check(campaign.id(), check, code(ran));
    }

    @Override
    public String transforms(List<Interpreter> ran) {
        return book.transforms(campaign.id(), code(ran));
    }

    /** The hash of a check that {@code grader} decides. */
    public String grader(Check check, List<Interpreter> ran, Agent grader) {
        return book.grader(campaign.id(), check, code(ran), grader);
    }

    private UsedCode code(List<Interpreter> ran) {
        return new UsedCode(
                Transforms.ofAnswer(branch, suiteCase), campaign.definition().code(), ran);
    }

    /** Results of what was evaluated with the answer, with their evaluators. Own code and graders decide later, and name themselves. */
    public List<CheckResult> named(List<CheckResult> results) {
        return Transforms.ofAnswer(branch, suiteCase).isEmpty()
                ? CheckLeaves.named(suiteCase.checks().all(), results, (check, _) -> atOnce(check))
                : results;
    }

    private @Nullable String atOnce(Check check) {
        boolean isLater =
                check.transform() != null || check.rule() instanceof CodeRule || check.rule() instanceof GradedRule;
        return isLater ? null : book.check(campaign.id(), check, UsedCode.NONE);
    }

    /** The outcome with evaluators where graders were not asked, since the rule itself decided. */
    public Outcome unasked(Outcome graded, List<Interpreter> ran) {
        List<Check> checks = suiteCase.checks().all();
        return checks.size() != graded.checks().size()
                ? graded
                : graded.withChecks(CheckLeaves.named(
                        checks,
                        graded.checks(),
                        (check, result) -> isUnasked(check, result) ? check(check, ran) : null));
    }

    private static boolean isUnasked(Check check, CheckResult result) {
        return check.rule() instanceof GradedRule
                && result.type().equals(check.type())
                && result.status() != CheckResult.Status.UNSCORED
                && result.grade() == null
                && result.evaluator() == null;
    }
}

package dev.assay.domain.grading;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.run.RunRule;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.trace.AgentOutput;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.trace.Traces;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The checks of an answer that is on record: what they can still read of it. */
public final class StoredAnswer {

    private static final String CUT =
            "What the program printed is stored up to 10 MiB, and this was more: what it did is not known whole.";

    private StoredAnswer() {}

    /** Whether the checks of an answer were never evaluated. */
    public static boolean isUnchecked(Outcome outcome, Case suiteCase) {
        return outcome.checks().isEmpty() && !suiteCase.checks().all().isEmpty();
    }

    /** What checks read of an answer, as far as it is stored. The files of a program are not. */
    public static CheckInput input(Outcome outcome, Branch branch, byte @Nullable [] stdout) {
        return new CheckInput(
                outcome.response(),
                outcome.newMessages(),
                outcome.answer().finishReason(),
                outcome.measured(),
                evidence(outcome, branch, stdout),
                Transforms.offered(branch));
    }

    private static Evidence evidence(Outcome outcome, Branch branch, byte @Nullable [] stdout) {
        AgentCommand command = branch.agent().asWritten().program().orElse(null);
        if (stdout == null || command == null) {
            return new Evidence(null, Traces.of(outcome.newMessages()), null, outcome.exitCode());
        }
        String text = StorableText.of(new String(stdout, StandardCharsets.UTF_8));
        return new Evidence(text, AgentOutput.read(command.output(), text).trace(), null, outcome.exitCode());
    }

    /**
     * The outcome with the results of its checks.
     *
     * @param stdout what the program printed that answered; null: none did
     * @param evaluator one result for each check, in their order
     */
    public static Outcome checked(
            Outcome outcome,
            Branch branch,
            Case suiteCase,
            byte @Nullable [] stdout,
            BiFunction<List<Check>, CheckInput, List<CheckResult>> evaluator) {
        List<Check> checks = suiteCase.checks().all();
        List<CheckResult> results = evaluator.apply(checks, input(outcome, branch, stdout));
        boolean isCut = stdout != null && stdout.length >= ProgramRun.MAX_OUTPUT;
        return outcome.withChecks(isCut ? withoutRun(checks, results) : results);
    }

    private static List<CheckResult> withoutRun(List<Check> checks, List<CheckResult> results) {
        Iterator<CheckResult> known = CheckLeaves.results(checks, results).iterator();
        List<CheckResult> leaves = new ArrayList<>();
        for (Check check : CheckLeaves.of(checks)) {
            CheckResult result = known.next();
            leaves.add(check.rule() instanceof RunRule ? check.unscored(CUT) : result);
        }
        return CheckLeaves.joined(checks, leaves);
    }
}

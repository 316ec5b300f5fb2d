package dev.assay.activities.judging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.activities.evaluator.VerdictNames;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.CodeRun;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.check.code.Transformation;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.grading.CodeRequest;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.grading.Transforms;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * The own code of one outcome: the transforms of its answer one after the other, and then what its checks need, all at once. Nothing of
 * it is kept here: run again, it does all of it again.
 */
public final class OutcomeCode {

    private final Runner runner;
    private final Evaluator checks;
    private final ExecutorService threads;
    private final CodeCall call;
    private final VerdictNames evaluators;
    private final Outcome outcome;
    private final Case suiteCase;

    /** The interpreters that ran the transforms of the answer. */
    private final List<Interpreter> ran = new ArrayList<>();

    /** Has own code answer a request. */
    @FunctionalInterface
    public interface Runner {
        CodeRun run(CodeRequest request) throws InterruptedException;
    }

    /** Evaluates checks that need no code: one result for each, in their order. */
    @FunctionalInterface
    public interface Evaluator {
        List<CheckResult> evaluate(List<Check> checks, CheckInput input);
    }

    /** @param threads on which the code of each check waits */
    public OutcomeCode(
            Runner runner, Evaluator checks, ExecutorService threads, CodeCall call, VerdictNames evaluators) {
        this.runner = runner;
        this.checks = checks;
        this.threads = threads;
        this.call = call;
        this.evaluators = evaluators;
        this.outcome = call.outcome();
        this.suiteCase = call.suiteCase();
    }

    /** Runs it. Interrupted, it ends what it has begun. */
    public Transforms.Decided run() throws InterruptedException, ExecutionException {
        List<Script> transforms = Transforms.ofAnswer(call.branch(), suiteCase);
        JsonNode value = TextNode.valueOf(outcome.response());
        for (Script transform : transforms) {
            switch (transformed(transform, value, ran)) {
                case Transformation.Value(JsonNode made) -> value = made;
                case Transformation.None(var finding) -> {
                    return new Transforms.Decided(
                            Transforms.failed(outcome, finding, evaluators.transforms(ran)), Prepared.NOTHING);
                }
            }
        }
        return Transforms.decided(outcome, suiteCase, value, leaves(value, !transforms.isEmpty()));
    }

    private List<Transforms.Leaf> leaves(JsonNode value, boolean isTransformed)
            throws InterruptedException, ExecutionException {
        List<Check> leaves = CheckLeaves.of(suiteCase.checks().all());
        List<CheckResult> before = Transforms.before(outcome, suiteCase);
        Iterator<CheckResult> again = checks.evaluate(
                        leaves.stream()
                                .filter(check -> isEvaluatedWithOthers(check, isTransformed))
                                .toList(),
                        input(value))
                .iterator();
        List<Future<Transforms.Leaf>> running = new ArrayList<>();
        for (int i = 0; i < leaves.size(); i++) {
            Check check = leaves.get(i);
            CheckResult known = isEvaluatedWithOthers(check, isTransformed) ? again.next() : before.get(i);
            running.add(threads.submit(() -> leaf(check, known, value)));
        }
        List<Transforms.Leaf> found = new ArrayList<>();
        for (Future<Transforms.Leaf> one : running) {
            found.add(one.get());
        }
        return found;
    }

    /** Whether a check is evaluated again, and sees what the others see. */
    private boolean isEvaluatedWithOthers(Check check, boolean isTransformed) {
        return check.transform() == null && Transforms.isEvaluatedAgain(check, outcome, isTransformed);
    }

    /** @param known its result where it sees what the others see */
    private Transforms.Leaf leaf(Check check, CheckResult known, JsonNode value) throws InterruptedException {
        List<Interpreter> own = new ArrayList<>(ran);
        Transformation seen = check.transform() == null
                ? new Transformation.Value(value)
                : transformed(check.transform(), value, own);
        CheckResult result = switch (seen) {
            case Transformation.None(var finding) -> Transforms.failed(check, finding);
            case Transformation.Value(JsonNode made) -> result(check, known, made, own);
        };
        boolean isForGrader = check.rule() instanceof GradedRule && seen instanceof Transformation.Value;
        return new Transforms.Leaf(check, seen, isForGrader ? result : result.by(evaluators.check(check, own)), own);
    }

    private CheckResult result(Check check, CheckResult known, JsonNode seen, List<Interpreter> own)
            throws InterruptedException {
        if (check.rule() instanceof CodeRule rule) {
            CodeRun run = noted(runner.run(call.check(rule, seen)), own);
            return new CheckResult(check.type(), rule.finding(run.reply(), check.role()), check.role());
        }
        return check.transform() != null && Transforms.isEvaluatedAgain(check, outcome, true)
                ? checks.evaluate(List.of(check), input(seen)).getFirst()
                : known;
    }

    private Transformation transformed(Script transform, JsonNode value, List<Interpreter> own)
            throws InterruptedException {
        return Transformation.of(
                noted(runner.run(call.transform(transform, value)), own).reply());
    }

    private static CodeRun noted(CodeRun run, List<Interpreter> own) {
        if (run.interpreter() != null) {
            own.add(run.interpreter());
        }
        return run;
    }

    private CheckInput input(JsonNode value) {
        return Transforms.input(outcome, call.branch(), value);
    }
}

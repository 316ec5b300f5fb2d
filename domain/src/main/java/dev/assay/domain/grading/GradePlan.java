package dev.assay.domain.grading;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.code.Transformation;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.graded.QuestionRule;
import dev.assay.domain.check.graded.SimilarRule;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Grade;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The next step of grading, from the grader's calls that an outcome has: the calls to make, or the outcome with its grades. It
 * depends on nothing else, so any process can resume grading.
 */
public final class GradePlan {

    /** The next step. */
    public sealed interface Step {

        /**
         * The calls to make; they do not depend on each other.
         *
         * @param questions none where a call was cancelled, which a later epoch makes again
         */
        record Ask(List<GradeQuestion> questions) implements Step {

            public Ask {
                questions = List.copyOf(questions);
            }
        }

        /** Every check has its grade, or the reason why it has none. */
        record Done(Outcome outcome) implements Step {}
    }

    private final Outcome outcome;
    private final Case suiteCase;
    private final Prepared prepared;
    private final List<CheckResult> before;
    private final Map<Integer, GradeCall> calls;
    private final List<GradeQuestion> questions = new ArrayList<>();
    private boolean isCancelled;

    private GradePlan(Outcome outcome, Case suiteCase, Prepared prepared, Collection<GradeCall> calls) {
        this.outcome = outcome;
        this.prepared = prepared;
        this.before = Grading.before(suiteCase.checks().all(), outcome.checks());
        this.suiteCase = suiteCase;
        this.calls =
                calls.stream().collect(Collectors.toMap(call -> call.answer().slot(), Function.identity()));
    }

    /**
     * The next step of an outcome.
     *
     * @param outcome with its transcript and with what the checks say that need no grader
     * @param prepared what own code left for the graders
     * @param calls the graders' calls of its trial
     */
    public static Step next(Outcome outcome, Case suiteCase, Prepared prepared, Collection<GradeCall> calls) {
        // An answer that could not be transformed has one result, which no grader changes.
        return outcome.checks().stream().anyMatch(check -> check.type().equals(CheckResult.TRANSFORM))
                ? new Step.Done(outcome)
                : new GradePlan(outcome, suiteCase, prepared, calls).next();
    }

    private Step next() {
        List<Check> checks = Grading.graded(suiteCase.checks().all());
        List<Grading.Graded> graded = new ArrayList<>();
        for (int i = 0; i < checks.size(); i++) {
            Grading.Graded one = prepared.decided().contains(i)
                    ? new Grading.Graded(before.get(i))
                    : graded(checks.get(i), new GradeSlot(outcome.branchIndex(), i, false), text(i));
            if (one != null) {
                graded.add(one);
            }
        }
        return isCancelled || graded.size() < checks.size()
                ? new Step.Ask(questions)
                : new Step.Done(
                        outcome.withChecks(Grading.results(suiteCase.checks().all(), outcome.checks(), graded)));
    }

    /** What the grader of a check reads. */
    private String text(int number) {
        String own = prepared.texts().get(number);
        return own == null ? Transformation.text(outcome.seen()) : own;
    }

    /** The grade of one check; null: too few calls yet. */
    private Grading.@Nullable Graded graded(Check check, GradeSlot slot, String text) {
        GradedRule rule = (GradedRule) check.rule();
        Finding known = rule.find(CheckInput.of(text));
        if (known.status() != Status.UNSCORED) {
            return new Grading.Graded(known);
        }
        GradeCall first = calls.get(slot.number());
        if (first == null) {
            questions.add(new GradeQuestion(slot, check, reads(rule, text)));
            return null;
        }
        GradeCall repair = calls.get(slot.repair().number());
        GradeCall last = repair == null ? first : repair;
        Failure failure = last.answer().failure();
        if (failure != null) {
            isCancelled |= failure.code() == ErrorCode.CANCELLED;
            return new Grading.Graded(failed(failure), grade(slot, first, repair), last.evaluator());
        }
        String reply = String.valueOf(last.answer().reply());
        return switch (GradeReply.read(rule, reply)) {
            case GradeReply.Valid(Finding finding) ->
                new Grading.Graded(finding, grade(slot, first, repair), last.evaluator());
            case GradeReply.Invalid(String problem)
            when repair == null && rule instanceof QuestionRule -> {
                questions.add(new GradeQuestion(
                        slot.repair(), check, reads(rule, text).repair(reply, problem)));
                yield null;
            }
            case GradeReply.Invalid(String problem) ->
                new Grading.Graded(
                        Finding.unscored(
                                repair == null
                                        ? "The grader's reply cannot be used. " + problem
                                        : "The grader's reply cannot be used, also after it was asked again. "
                                                + problem),
                        grade(slot, first, repair),
                        last.evaluator());
        };
    }

    private static Finding failed(Failure failure) {
        return Finding.unscored(
                failure.code() == ErrorCode.BUDGET_EXCEEDED
                        ? "The grader was not asked: " + failure.message()
                        : "The grader failed: " + failure.message());
    }

    private static Grade grade(GradeSlot slot, GradeCall first, @Nullable GradeCall repair) {
        List<GradeCall> made = repair == null ? List.of(first) : List.of(first, repair);
        Usage usage = Usage.NONE;
        BigDecimal cost = null;
        for (GradeCall call : made) {
            usage = usage.plus(call.measured().usage());
            BigDecimal own = call.measured().costUsd();
            cost = own == null ? cost : cost == null ? own : cost.add(own);
        }
        return new Grade(slot.number(), usage, cost);
    }

    private JudgePreview reads(GradedRule rule, String text) {
        return switch (rule) {
            case QuestionRule question -> GradePrompt.of(question, conversation(), text);
            case SimilarRule similar -> GradePrompt.of(similar, text);
        };
    }

    private Conversation conversation() {
        List<Message> prompts = outcome.newMessages().stream()
                .takeWhile(message -> message.role() != Role.ASSISTANT)
                .toList();
        return prompts.isEmpty()
                ? Transcript.ofContext(suiteCase.context())
                : Transcript.ofPrompts(suiteCase.context(), prompts);
    }
}

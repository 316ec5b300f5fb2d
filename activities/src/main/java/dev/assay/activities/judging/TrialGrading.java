package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.campaign.CampaignQueues;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.check.BoundedChecks;
import dev.assay.activities.code.CodePlacing;
import dev.assay.activities.code.CodeProcesses;
import dev.assay.activities.evaluator.AnswerEvaluators;
import dev.assay.activities.evaluator.EvaluatorBook;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.grading.GradeCall;
import dev.assay.domain.grading.GradePlan;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.domain.grading.LostAnswers;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.grading.StoredAnswer;
import dev.assay.domain.grading.Transforms;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.EnlistRepository.Place;
import dev.assay.store.journal.JournalEntry.Prepare;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.outcome.GradeRepository;
import dev.assay.store.outcome.UngradedOutcome;
import dev.assay.store.suite.CaseRepository;
import dev.assay.work.compute.Computing;
import io.temporal.activity.Activity;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The grading of outcomes that were set aside for it, and their record. The next call follows from the recorded ones
 * ({@link GradePlan}), so an attempt resumes where the last one stopped. Own code runs before graders are asked, who read what it made
 * of answers. It costs nothing: an attempt that stopped before it ended runs it again.
 */
@Singleton
public class TrialGrading {

    private final GradeRepository grades;
    private final CaseRepository cases;
    private final GradeCalls graders;
    private final RunJournal journal;
    private final WorkerIdentity worker;
    private final CodeProcesses processes;
    private final BoundedChecks checks;
    private final CodePlacing placing;
    private final CampaignQueues queues;
    private final EvaluatorBook evaluators;
    private final Halt halt;
    private final CallWishes wishes;

    TrialGrading(
            GradeRepository grades,
            CaseRepository cases,
            GradeCalls graders,
            RunJournal journal,
            WorkerIdentity worker,
            CodeProcesses processes,
            Computing computing,
            CodePlacing placing,
            CampaignQueues queues,
            EvaluatorBook evaluators,
            Halt halt,
            CallWishes wishes) {
        this.processes = processes;
        this.checks = new BoundedChecks(computing);
        this.placing = placing;
        this.queues = queues;
        this.evaluators = evaluators;
        this.halt = halt;
        this.wishes = wishes;
        this.grades = grades;
        this.cases = cases;
        this.graders = graders;
        this.journal = journal;
        this.worker = worker;
    }

    /**
     * Asks graders and runs own code until each outcome of {@code ordinals} has its results. Some need what must be done later, or by
     * another worker.
     *
     * @param refers whether trials can go to other workers; else this one must be able to ask all graders
     */
    public TrialJudging.Asked grade(StoredCampaign campaign, int epoch, boolean refers, Collection<Integer> ordinals) {
        if (!refers) {
            graders.requireAll(campaign.definition().graderAgents());
        }
        try (RunningCode code = new RunningCode()) {
            return ask(new Grades(campaign, epoch, refers, code), ordinals);
        }
    }

    /**
     * The grading of one activity.
     *
     * @param elsewhere receives the queues on which trials go on
     * @param out receives trials whose graders are asked in a batch of their provider
     */
    private record Grades(
            StoredCampaign campaign,
            int epoch,
            boolean refers,
            RunningCode code,
            Map<Integer, String> elsewhere,
            Set<Integer> out) {

        Grades(StoredCampaign campaign, int epoch, boolean refers, RunningCode code) {
            this(campaign, epoch, refers, code, new TreeMap<>(), new TreeSet<>());
        }
    }

    private TrialJudging.Asked ask(Grades grading, Collection<Integer> ordinals) {
        Map<Integer, String> elsewhere = grading.elsewhere();
        Set<GradeCalls.Call> made = new HashSet<>();
        SortedSet<Integer> left = new TreeSet<>(ordinals);
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        CallCounter counter = new CallCounter("grader calls");
        while (true) {
            Map<GradeCalls.Call, GradeCalls.Asked> next = next(grading, left);
            // A call that left no record was taken from this worker: the worker that has the trial now resumes it.
            next.keySet().removeIf(call -> !made.add(call));
            if (next.isEmpty()) {
                left = grading.code()
                        .await(
                                () -> Activity.getExecutionContext().heartbeat("runs own code"),
                                () -> !halt.halted(new RunKey(grading.campaign().id(), grading.epoch())));
                if (left.isEmpty()) {
                    elsewhere.keySet().removeAll(asked.open());
                    elsewhere.keySet().removeAll(grading.out());
                    return new TrialJudging.Asked(asked, TrialJudging.byQueue(elsewhere), grading.out());
                }
                continue;
            }
            CellBatch.Result result =
                    graders.ask(grading.campaign(), grading.epoch(), next, counter.round(next.size()));
            left.retainAll(next.keySet().stream().map(GradeCalls.Call::ordinal).collect(Collectors.toSet()));
            left.removeAll(result.open());
            asked = asked.and(result);
        }
    }

    /** The calls that the trials need next and that this worker can make; outcomes that need none are recorded. */
    private Map<GradeCalls.Call, GradeCalls.Asked> next(Grades grading, Set<Integer> ordinals) {
        StoredCampaign campaign = grading.campaign();
        Map<GradeCalls.Call, GradeCalls.Asked> next = new LinkedHashMap<>();
        Map<GradeCalls.Call, GradeCalls.Asked> needed = new LinkedHashMap<>();
        Map<Integer, List<UngradedOutcome>> ungraded = grades.ungraded(campaign.id(), ordinals);
        if (ungraded.isEmpty()) {
            return next;
        }
        TrialGrid grid = campaign.grid();
        Map<Integer, List<GradeCall>> calls =
                grades.calls(new RunKey(campaign.id(), grading.epoch()), ungraded.keySet());
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(),
                ungraded.keySet().stream().map(grid::caseIndex).collect(Collectors.toSet()));
        ungraded.forEach((ordinal, waiting) -> {
            Case suiteCase = requireNonNull(byIndex.get(grid.caseIndex(ordinal)));
            for (UngradedOutcome one : waiting) {
                List<CheckResult> lost = LostAnswers.results(branch(campaign, one.outcome()), suiteCase);
                if (lost != null && one.outcome().status().isAnswer()) {
                    record(campaign, grading.epoch(), one.outcome().withChecks(lost), suiteCase);
                    continue;
                }
                List<CodeNeed> needs =
                        one.prepared() == null ? OwnCode.needs(branch(campaign, one.outcome()), suiteCase) : List.of();
                boolean isUnchecked = campaign.definition().isAnswered()
                        && one.prepared() == null
                        && StoredAnswer.isUnchecked(one.outcome(), suiteCase);
                if (isUnchecked || !needs.isEmpty()) {
                    begin(grading, needs, one.outcome(), suiteCase, isUnchecked);
                    continue;
                }
                Prepared prepared = Objects.requireNonNullElse(one.prepared(), Prepared.NOTHING);
                switch (GradePlan.next(one.outcome(), suiteCase, prepared, calls.getOrDefault(ordinal, List.of()))) {
                    case GradePlan.Step.Ask(List<GradeQuestion> questions) ->
                        questions.forEach(question -> needed.put(
                                new GradeCalls.Call(ordinal, question.slot().number()),
                                asked(campaign, one.outcome(), suiteCase, prepared, question)));
                    case GradePlan.Step.Done(Outcome graded) ->
                        record(
                                campaign,
                                grading.epoch(),
                                names(campaign, graded, suiteCase).unasked(graded, prepared.ran()),
                                suiteCase);
                }
            }
        });
        removeOut(grading, needed);
        needed.forEach((call, asked) -> place(grading, call, asked, next));
        return next;
    }

    /** What a grader is asked about an outcome. */
    GradeCalls.Asked asked(
            StoredCampaign campaign, Outcome outcome, Case suiteCase, Prepared prepared, GradeQuestion question) {
        return new GradeCalls.Asked(question, names(campaign, outcome, suiteCase), prepared.ran());
    }

    /** Takes the calls out that go out in a batch of their provider. */
    private void removeOut(Grades grading, Map<GradeCalls.Call, GradeCalls.Asked> needed) {
        Set<Place> wanted = needed.entrySet().stream()
                .filter(call ->
                        CallWishes.mayBeOut(grading.campaign(), call.getValue().question()))
                .map(call -> new Place(call.getKey().ordinal(), call.getKey().slot()))
                .collect(Collectors.toSet());
        Set<Place> out = wishes.graders(grading.campaign(), grading.epoch(), wanted);
        grading.out().addAll(CallWishes.ordinals(out));
        needed.keySet().removeIf(call -> out.contains(new Place(call.ordinal(), call.slot())));
    }

    /** Assigns a call to this worker, or to those that have the grader's provider. */
    private void place(
            Grades grading, GradeCalls.Call call, GradeCalls.Asked asked, Map<GradeCalls.Call, GradeCalls.Asked> here) {
        Agent grader = GradeCalls.grader(grading.campaign().definition(), asked.question());
        if (graders.canAsk(grader)) {
            here.put(call, asked);
        } else {
            grading.elsewhere().put(call.ordinal(), queues.provider(grading.campaign(), grader.provider()));
        }
    }

    /** Those of the given trials of which outcomes wait. */
    public Set<Integer> waiting(StoredCampaign campaign, Collection<Integer> ordinals) {
        return grades.waiting(campaign.id(), ordinals);
    }

    private AnswerEvaluators names(StoredCampaign campaign, Outcome outcome, Case suiteCase) {
        return new AnswerEvaluators(evaluators, campaign, branch(campaign, outcome), suiteCase);
    }

    private static Branch branch(StoredCampaign campaign, Outcome outcome) {
        return campaign.definition().branches().get(outcome.branchIndex());
    }

    /**
     * Begins the own code of an outcome, or notes the workers that run it.
     *
     * @param isUnchecked whether its other checks have yet to be evaluated
     */
    private void begin(Grades grading, List<CodeNeed> needs, Outcome outcome, Case suiteCase, boolean isUnchecked) {
        if (grading.code().hasBegun(outcome)) {
            return;
        }
        StoredCampaign campaign = grading.campaign();
        String queue = grading.refers() ? placing.elsewhere(campaign, needs) : null;
        if (queue != null) {
            grading.elsewhere().put(outcome.ordinal(), queue);
            return;
        }
        String waiting =
                campaign.loopId(outcome.ordinal(), outcome.branchIndex(), "").queue();
        OutcomeCode.Evaluator evaluator = (some, input) -> checks.evaluate(waiting, some, input);
        grading.code()
                .begin(
                        outcome,
                        () -> {
                            Outcome checked = isUnchecked ? checked(campaign, outcome, suiteCase, evaluator) : outcome;
                            return needs.isEmpty() || !checked.status().isAnswer()
                                    ? new Transforms.Decided(checked, Prepared.NOTHING)
                                    : code(grading, checked, suiteCase, evaluator)
                                            .run();
                        },
                        decided -> goesOn(grading, decided, suiteCase));
    }

    /** An answer that is on record with the results of its checks; one that is none stays as it is. */
    private Outcome checked(StoredCampaign campaign, Outcome outcome, Case suiteCase, OutcomeCode.Evaluator evaluator) {
        if (!outcome.status().isAnswer()) {
            return outcome;
        }
        byte[] stdout = outcome.answer().program() == null
                ? null
                : grades.stdout(campaign.id(), outcome.ordinal(), outcome.branchIndex())
                        .orElse(null);
        Outcome checked =
                StoredAnswer.checked(outcome, branch(campaign, outcome), suiteCase, stdout, evaluator::evaluate);
        return checked.withChecks(names(campaign, outcome, suiteCase).named(checked.checks()));
    }

    private OutcomeCode code(Grades grading, Outcome outcome, Case suiteCase, OutcomeCode.Evaluator evaluator) {
        StoredCampaign campaign = grading.campaign();
        return new OutcomeCode(
                request -> processes.run(campaign.id(), campaign.definition().code(), request),
                evaluator,
                grading.code().threads(),
                new CodeCall(
                        outcome,
                        suiteCase,
                        branch(campaign, outcome),
                        campaign.grid().trial(outcome.ordinal())),
                names(campaign, outcome, suiteCase));
    }

    /** Records an outcome that needs no grader, or keeps what graders read: whether they are to be asked now. */
    private boolean goesOn(Grades grading, Transforms.Decided decided, Case suiteCase) {
        StoredCampaign campaign = grading.campaign();
        if (!decided.outcome().status().isAnswer()) {
            record(campaign, grading.epoch(), decided.outcome(), suiteCase);
            return false;
        }
        return switch (GradePlan.next(decided.outcome(), suiteCase, decided.prepared(), List.of())) {
            case GradePlan.Step.Done(Outcome done) -> {
                Outcome named = names(campaign, done, suiteCase)
                        .unasked(done, decided.prepared().ran());
                record(campaign, grading.epoch(), named, suiteCase);
                yield false;
            }
            case GradePlan.Step.Ask _ -> {
                journal.prepare(new Prepare(campaign.id(), decided.outcome(), decided.prepared(), campaign.reruns()));
                yield true;
            }
        };
    }

    private void record(StoredCampaign campaign, int epoch, Outcome graded, Case suiteCase) {
        TrialGrid grid = campaign.grid();
        RecordOutcome outcome = new RecordOutcome(
                campaign.id(),
                epoch,
                worker.id(),
                grid.caseIndex(graded.ordinal()),
                grid.trial(graded.ordinal()),
                graded,
                TrialVerdict.of(graded, suiteCase.checks().threshold()).passed(),
                List.of());
        // An outcome that no longer waits belongs to another worker: its trial stays open until there is an outcome.
        var _ = journal.record(new RecordGrades(outcome, campaign.reruns()));
    }
}

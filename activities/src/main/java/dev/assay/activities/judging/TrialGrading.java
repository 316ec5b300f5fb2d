package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.campaign.CampaignQueues;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.code.CodeProcesses;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.GradeCall;
import dev.assay.domain.grading.GradePlan;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.outcome.GradeRepository;
import dev.assay.store.suite.CaseRepository;
import io.temporal.activity.Activity;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The grading of outcomes that were set aside for it, and their record. The next call follows from the recorded ones
 * ({@link GradePlan}), so an attempt resumes where the last one stopped. Own code runs when an outcome has its grades; it costs
 * nothing, so an attempt that is repeated runs it again.
 */
@Singleton
public class TrialGrading {

    private final GradeRepository grades;
    private final CaseRepository cases;
    private final GradeCalls graders;
    private final RunJournal journal;
    private final WorkerIdentity worker;
    private final CodeProcesses processes;
    private final CodePlacing placing;
    private final CampaignQueues queues;
    private final Halt halt;

    TrialGrading(
            GradeRepository grades,
            CaseRepository cases,
            GradeCalls graders,
            RunJournal journal,
            WorkerIdentity worker,
            CodeProcesses processes,
            CodePlacing placing,
            CampaignQueues queues,
            Halt halt) {
        this.processes = processes;
        this.placing = placing;
        this.queues = queues;
        this.halt = halt;
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
            graders.requireAll(campaign.definition().graders());
        }
        try (RunningCode code = new RunningCode(processes, campaign)) {
            TrialJudging.Asked asked = ask(new Grades(campaign, epoch, refers, code), ordinals);
            code.await(
                    () -> Activity.getExecutionContext().heartbeat("runs own code"),
                    () -> !halt.halted(new RunKey(campaign.id(), epoch)));
            return asked;
        }
    }

    /**
     * The grading of one activity.
     *
     * @param elsewhere receives the queues on which trials go on
     */
    private record Grades(
            StoredCampaign campaign, int epoch, boolean refers, RunningCode code, Map<Integer, String> elsewhere) {

        Grades(StoredCampaign campaign, int epoch, boolean refers, RunningCode code) {
            this(campaign, epoch, refers, code, new TreeMap<>());
        }
    }

    private TrialJudging.Asked ask(Grades grading, Collection<Integer> ordinals) {
        Map<Integer, String> elsewhere = grading.elsewhere();
        Set<GradeCalls.Call> made = new HashSet<>();
        SortedSet<Integer> left = new TreeSet<>(ordinals);
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        CallCounter counter = new CallCounter("grader calls");
        while (true) {
            Map<GradeCalls.Call, GradeQuestion> next = next(grading, left);
            // A call that left no record was taken from this worker: the worker that has the trial now resumes it.
            next.keySet().removeIf(call -> !made.add(call));
            if (next.isEmpty()) {
                elsewhere.keySet().removeAll(asked.open());
                return new TrialJudging.Asked(asked, TrialJudging.byQueue(elsewhere));
            }
            CellBatch.Result result =
                    graders.ask(grading.campaign(), grading.epoch(), next, counter.round(next.size()));
            left.retainAll(next.keySet().stream().map(GradeCalls.Call::ordinal).collect(Collectors.toSet()));
            left.removeAll(result.open());
            asked = asked.and(result);
        }
    }

    /** The calls that the trials need next and that this worker can make; outcomes that need none are recorded. */
    private Map<GradeCalls.Call, GradeQuestion> next(Grades grading, Set<Integer> ordinals) {
        StoredCampaign campaign = grading.campaign();
        Map<GradeCalls.Call, GradeQuestion> next = new LinkedHashMap<>();
        Map<Integer, List<Outcome>> ungraded = grades.ungraded(campaign.id(), ordinals);
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
            for (Outcome outcome : waiting) {
                switch (GradePlan.next(outcome, suiteCase, calls.getOrDefault(ordinal, List.of()))) {
                    case GradePlan.Step.Ask(List<GradeQuestion> questions) ->
                        questions.forEach(question -> place(grading, ordinal, question, next));
                    case GradePlan.Step.Done(Outcome graded) -> finish(grading, graded, suiteCase);
                }
            }
        });
        return next;
    }

    /** Assigns a call to this worker, or to those that have the grader's provider. */
    private void place(Grades grading, int ordinal, GradeQuestion question, Map<GradeCalls.Call, GradeQuestion> here) {
        Agent grader = GradeCalls.grader(grading.campaign().definition(), question);
        if (graders.canAsk(grader)) {
            here.put(new GradeCalls.Call(ordinal, question.slot().number()), question);
        } else {
            grading.elsewhere().put(ordinal, queues.provider(grading.campaign(), grader.provider()));
        }
    }

    /** Records an outcome that has its grades, after its own code has run. */
    private void finish(Grades grading, Outcome graded, Case suiteCase) {
        List<CodeRule> rules = OwnCode.rules(suiteCase.checks().all());
        if (rules.isEmpty()) {
            record(grading.campaign(), grading.epoch(), graded, suiteCase);
            return;
        }
        if (grading.code().hasBegun(graded)) {
            return;
        }
        String queue = grading.refers() ? placing.elsewhere(grading.campaign(), rules) : null;
        if (queue == null) {
            grading.code()
                    .begin(
                            graded,
                            suiteCase,
                            outcome -> record(grading.campaign(), grading.epoch(), outcome, suiteCase));
        } else {
            grading.elsewhere().put(graded.ordinal(), queue);
        }
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

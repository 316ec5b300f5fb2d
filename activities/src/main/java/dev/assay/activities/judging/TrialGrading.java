package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.GradeCall;
import dev.assay.domain.grading.GradePlan;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.outcome.GradeRepository;
import dev.assay.store.suite.CaseRepository;
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
 * ({@link GradePlan}), so an attempt resumes where the last one stopped.
 */
@Singleton
public class TrialGrading {

    private final GradeRepository grades;
    private final CaseRepository cases;
    private final GradeCalls graders;
    private final RunJournal journal;
    private final WorkerIdentity worker;

    TrialGrading(
            GradeRepository grades,
            CaseRepository cases,
            GradeCalls graders,
            RunJournal journal,
            WorkerIdentity worker) {
        this.grades = grades;
        this.cases = cases;
        this.graders = graders;
        this.journal = journal;
        this.worker = worker;
    }

    /**
     * Asks graders until each outcome of {@code ordinals} has its grades, or needs a call that must be made later or by another
     * worker.
     *
     * @param refers whether trials can go to other workers; else this one must be able to ask all graders
     */
    public TrialJudging.Asked grade(StoredCampaign campaign, int epoch, boolean refers, Collection<Integer> ordinals) {
        if (campaign.definition().graders().isEmpty()) {
            return TrialJudging.Asked.NOTHING;
        }
        if (!refers) {
            graders.requireAll(campaign.definition().graders());
        }
        Map<Integer, String> elsewhere = new TreeMap<>();
        Set<GradeCalls.Call> made = new HashSet<>();
        SortedSet<Integer> left = new TreeSet<>(ordinals);
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        CallCounter counter = new CallCounter("grader calls");
        while (true) {
            Map<GradeCalls.Call, GradeQuestion> next = next(campaign, epoch, left, elsewhere);
            // A call that left no record was taken from this worker: the worker that has the trial now resumes it.
            next.keySet().removeIf(call -> !made.add(call));
            if (next.isEmpty()) {
                elsewhere.keySet().removeAll(asked.open());
                return new TrialJudging.Asked(asked, TrialJudging.byProvider(elsewhere));
            }
            CellBatch.Result result = graders.ask(campaign, epoch, next, counter.round(next.size()));
            left.retainAll(next.keySet().stream().map(GradeCalls.Call::ordinal).collect(Collectors.toSet()));
            left.removeAll(result.open());
            asked = asked.and(result);
        }
    }

    /** The calls that the trials need next and that this worker can make; outcomes that need none are recorded. */
    private Map<GradeCalls.Call, GradeQuestion> next(
            StoredCampaign campaign, int epoch, Set<Integer> ordinals, Map<Integer, String> elsewhere) {
        Map<GradeCalls.Call, GradeQuestion> next = new LinkedHashMap<>();
        Map<Integer, List<Outcome>> ungraded = grades.ungraded(campaign.id(), ordinals);
        if (ungraded.isEmpty()) {
            return next;
        }
        TrialGrid grid = campaign.grid();
        Map<Integer, List<GradeCall>> calls = grades.calls(new RunKey(campaign.id(), epoch), ungraded.keySet());
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(),
                ungraded.keySet().stream().map(grid::caseIndex).collect(Collectors.toSet()));
        ungraded.forEach((ordinal, waiting) -> {
            Case suiteCase = requireNonNull(byIndex.get(grid.caseIndex(ordinal)));
            for (Outcome outcome : waiting) {
                switch (GradePlan.next(outcome, suiteCase, calls.getOrDefault(ordinal, List.of()))) {
                    case GradePlan.Step.Ask(List<GradeQuestion> questions) ->
                        questions.forEach(question -> place(campaign, ordinal, question, next, elsewhere));
                    case GradePlan.Step.Done(Outcome graded) -> record(campaign, epoch, graded, suiteCase);
                }
            }
        });
        return next;
    }

    /** Assigns a call to this worker, or to those that have the grader's provider. */
    private void place(
            StoredCampaign campaign,
            int ordinal,
            GradeQuestion question,
            Map<GradeCalls.Call, GradeQuestion> here,
            Map<Integer, String> elsewhere) {
        Agent grader = GradeCalls.grader(campaign.definition(), question);
        if (graders.canAsk(grader)) {
            here.put(new GradeCalls.Call(ordinal, question.slot().number()), question);
        } else {
            elsewhere.put(ordinal, grader.provider());
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

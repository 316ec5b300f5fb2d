package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.call.CampaignEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.Failure;
import dev.assay.domain.grading.GradePlan;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.Selector;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry;
import dev.assay.store.outcome.GradeRepository;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.outcome.UngradedOutcome;
import dev.assay.store.suite.CaseRepository;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** First calls of judges and graders that go out in batches of their providers, and come back. They follow from outcomes alone. */
@Singleton
public class DeliveredCalls {

    private final OutcomeRepository outcomes;
    private final GradeRepository grades;
    private final CaseRepository cases;
    private final TrialJudging judging;
    private final TrialGrading grading;
    private final JudgeCalls judges;
    private final GradeCalls graders;
    private final ModelResolver models;
    private final CampaignEvents listeners;

    DeliveredCalls(
            OutcomeRepository outcomes,
            GradeRepository grades,
            CaseRepository cases,
            TrialJudging judging,
            TrialGrading grading,
            JudgeCalls judges,
            GradeCalls graders,
            ModelResolver models,
            CampaignEvents listeners) {
        this.outcomes = outcomes;
        this.grades = grades;
        this.cases = cases;
        this.judging = judging;
        this.grading = grading;
        this.judges = judges;
        this.graders = graders;
        this.models = models;
        this.listeners = listeners;
    }

    /**
     * Calls of judges or of graders. One that its trial does not need is missing.
     *
     * @param epoch of the campaign in which they go or went out
     * @param attempts of each cell, from 1
     */
    public Map<CellKey, DeliveredCell> of(StoredCampaign campaign, int epoch, Map<CellKey, Integer> attempts) {
        Map<CellKey, Making> made = new HashMap<>();
        Map<CellKind, Set<Integer>> ordinals = attempts.keySet().stream()
                .collect(
                        Collectors.groupingBy(CellKey::kind, Collectors.mapping(CellKey::ordinal, Collectors.toSet())));
        if (ordinals.containsKey(CellKind.JUDGE)) {
            made.putAll(judges(campaign, requireNonNull(ordinals.get(CellKind.JUDGE))));
        }
        if (ordinals.containsKey(CellKind.GRADE)) {
            made.putAll(graders(campaign, requireNonNull(ordinals.get(CellKind.GRADE))));
        }
        AgentEvents quietly = listeners.of(campaign).quietly();
        Map<CellKey, DeliveredCell> calls = new HashMap<>();
        attempts.forEach((key, attempt) -> {
            Making making = made.get(key);
            if (making != null) {
                CellAttempt one = new CellAttempt(campaign, RunningCell.out(key, epoch), attempt, 0, 0, 0);
                calls.put(key, new Delivery(making.make(one, quietly), one, models));
            }
        });
        return calls;
    }

    @FunctionalInterface
    private interface Making {
        JudgeCall make(CellAttempt attempt, AgentEvents listener);
    }

    private Map<CellKey, Making> judges(StoredCampaign campaign, Set<Integer> ordinals) {
        Strategy strategy = campaign.definition().strategy();
        JudgePolicy policy = requireNonNull(strategy.judging());
        int branches = campaign.definition().branches().size();
        Map<Integer, Choice.AskJudge> undecided = new TreeMap<>();
        outcomes.forSelection(campaign.id(), ordinals, strategy.readsChecks()).forEach((ordinal, ofTrial) -> {
            if (ofTrial.size() == branches && Selector.chooseOrWait(strategy, ofTrial) instanceof Choice.AskJudge ask) {
                undecided.put(ordinal, ask);
            }
        });
        Map<Integer, List<JudgeQuestion>> first = new TreeMap<>();
        undecided.forEach((ordinal, ask) -> first.put(ordinal, CallWishes.first(campaign, ordinal, ask.shown())));
        Map<CellKey, Making> calls = new HashMap<>();
        judging.trials(campaign, undecided, first)
                .forEach((ordinal, trial) -> trial.questions()
                        .keySet()
                        .forEach(slot -> calls.put(
                                new CellKey(campaign.id(), ordinal, CellKind.JUDGE, slot),
                                (attempt, listener) -> judges.call(policy, trial, attempt, listener))));
        return calls;
    }

    private Map<CellKey, Making> graders(StoredCampaign campaign, Set<Integer> ordinals) {
        TrialGrid grid = campaign.grid();
        Map<Integer, List<UngradedOutcome>> ungraded = grades.ungraded(campaign.id(), ordinals);
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(),
                ungraded.keySet().stream().map(grid::caseIndex).collect(Collectors.toSet()));
        Map<CellKey, Making> calls = new HashMap<>();
        ungraded.forEach((ordinal, waiting) -> {
            Case suiteCase = requireNonNull(byIndex.get(grid.caseIndex(ordinal)));
            for (UngradedOutcome one : waiting) {
                Prepared prepared = Objects.requireNonNullElse(one.prepared(), Prepared.NOTHING);
                for (GradeQuestion question : first(one.outcome(), suiteCase, prepared)) {
                    GradeCalls.Asked asked = grading.asked(campaign, one.outcome(), suiteCase, prepared, question);
                    calls.put(
                            new CellKey(
                                    campaign.id(),
                                    ordinal,
                                    CellKind.GRADE,
                                    question.slot().number()),
                            (attempt, listener) -> graders.call(asked, attempt, listener));
                }
            }
        });
        return calls;
    }

    private static List<GradeQuestion> first(Outcome outcome, Case suiteCase, Prepared prepared) {
        return GradePlan.next(outcome, suiteCase, prepared, List.of())
                        instanceof GradePlan.Step.Ask(List<GradeQuestion> questions)
                ? questions
                : List.of();
    }

    /** A call of a judge or a grader. */
    private record Delivery(JudgeCall call, CellAttempt attempt, ModelResolver models) implements DeliveredCell {

        @Override
        public ModelChoice choice() {
            return call.agent().modelAsked().orElseThrow();
        }

        @Override
        public ResolvedModel model() {
            return models.of(call.agent(), RunnableKind.Asking.of(attempt, call.agent(), call.vars()));
        }

        @Override
        public ModelRequest request() {
            return call.request(model());
        }

        @Override
        public boolean isOnRecord() {
            return call.isOnRecord();
        }

        @Override
        public JournalEntry answered(ModelReply reply, Delivered delivered) {
            return call.answered(reply, delivered);
        }

        @Override
        public JournalEntry failed(Failure failure, Delivered delivered) {
            return call.failed(failure, delivered);
        }
    }
}

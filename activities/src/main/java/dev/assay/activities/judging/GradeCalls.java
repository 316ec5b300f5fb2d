package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.PaidCells;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.evaluator.AnswerEvaluators;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaignfile.DefinitionReader;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.graded.SimilarRule;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.store.campaign.StoredCampaign;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.MDC;

/** The calls of graders. Each call is a cell of its own kind: claimed, permitted, in the ledger, stored once. */
@Singleton
class GradeCalls {

    private final PaidCells cells;
    private final JudgeCalls calls;
    private final ModelResolver models;

    GradeCalls(PaidCells cells, JudgeCalls calls, ModelResolver models) {
        this.cells = cells;
        this.calls = calls;
        this.models = models;
    }

    /** One call of one trial. */
    record Call(int ordinal, int slot) {}

    /**
     * What a call asks.
     *
     * @param names of the answer that is graded
     * @param ran interpreters that ran own code for it
     */
    record Asked(GradeQuestion question, AnswerEvaluators names, List<Interpreter> ran) {}

    /** Makes the given calls concurrently; see {@link CellBatch#run}. This worker can ask their graders. */
    CellBatch.Result ask(
            StoredCampaign campaign, int epoch, Map<Call, Asked> questions, CellBatch.Heartbeat heartbeat) {
        Map<Integer, Set<Integer>> ordinals = new TreeMap<>();
        questions
                .keySet()
                .forEach(call -> ordinals.computeIfAbsent(call.slot(), _ -> new TreeSet<>())
                        .add(call.ordinal()));
        return cells.run(
                campaign,
                epoch,
                CellKind.GRADE,
                ordinals,
                (attempt, listener) -> {
                    Asked asked = requireNonNull(questions.get(new Call(attempt.ordinal(), attempt.slot())));
                    // On the cell's own thread, which from now on names the check in what it logs.
                    MDC.put("grade", String.valueOf(asked.question().slot().check()));
                    return call(asked, attempt, listener);
                },
                heartbeat);
    }

    /** One of the calls. */
    JudgeCall call(Asked asked, CellAttempt attempt, AgentEvents listener) {
        return new JudgeCall(calls, attempt, question(attempt, asked), listener);
    }

    private JudgeCall.Question question(CellAttempt attempt, Asked asked) {
        GradeQuestion question = asked.question();
        Agent grader = grader(attempt.campaign().definition(), question);
        return JudgeCall.Question.ofGrader(
                grader,
                question.reads(),
                question.rule() instanceof SimilarRule,
                () -> asked.names().grader(question.check(), calls.ran(asked.ran(), grader), grader));
    }

    static Agent grader(CampaignDefinition definition, GradeQuestion question) {
        return DefinitionReader.grader(definition, question.rule()).agent();
    }

    boolean canAsk(Agent grader) {
        return models.canAsk(grader);
    }

    /** See {@link JudgeCalls#requireAll}. */
    void requireAll(List<Agent> graders) {
        calls.requireAll(graders);
    }
}

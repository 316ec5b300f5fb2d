package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.PaidCells;
import dev.assay.activities.call.ReusedAnswers;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.code.CodeProcesses;
import dev.assay.activities.evaluator.EvaluatorBook;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evaluator.UsedCode;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.RunJournal;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.MDC;

/**
 * The calls of judges, and of the models of custom strategies. Each call is a cell of its own kind: claimed, permitted, in the
 * ledger, stored once.
 */
@Singleton
public class JudgeCalls {

    final RunJournal journal;
    final WorkerIdentity worker;
    private final PaidCells cells;
    private final ModelResolver models;
    private final EvaluatorBook evaluators;
    private final CodeProcesses processes;
    final ReusedAnswers reused;

    JudgeCalls(
            RunJournal journal,
            WorkerIdentity worker,
            PaidCells cells,
            ModelResolver models,
            EvaluatorBook evaluators,
            CodeProcesses processes,
            ReusedAnswers reused) {
        this.reused = reused;
        this.evaluators = evaluators;
        this.processes = processes;
        this.journal = journal;
        this.worker = worker;
        this.cells = cells;
        this.models = models;
    }

    /**
     * A trial whose judges are to be asked.
     *
     * @param responses the text of each branch that is shown, by branch index
     * @param questions the calls to make, by their slot
     */
    record Trial(
            String caseId,
            Conversation conversation,
            Map<Integer, String> responses,
            Map<Integer, JudgeQuestion> questions) {

        Trial {
            responses = Map.copyOf(responses);
            questions = Map.copyOf(questions);
        }
    }

    /** Makes the calls of the given trials concurrently; see {@link CellBatch#run}. This worker can ask their judges. */
    CellBatch.Result ask(
            StoredCampaign campaign,
            int epoch,
            JudgePolicy policy,
            Map<Integer, Trial> trials,
            CellBatch.Heartbeat heartbeat) {
        Map<Integer, Set<Integer>> ordinals = new TreeMap<>();
        trials.forEach((ordinal, trial) -> trial.questions()
                .keySet()
                .forEach(slot ->
                        ordinals.computeIfAbsent(slot, _ -> new TreeSet<>()).add(ordinal)));
        return cells.run(
                campaign,
                epoch,
                CellKind.JUDGE,
                ordinals,
                (attempt, listener) -> {
                    Trial trial = requireNonNull(trials.get(attempt.ordinal()));
                    // On the cell's own thread, which from now on names them in what it logs.
                    MDC.put("case", trial.caseId());
                    MDC.put("judge", String.valueOf(attempt.slot()));
                    return call(policy, trial, attempt, listener);
                },
                heartbeat);
    }

    /** One of the calls of a trial. */
    JudgeCall call(JudgePolicy policy, Trial trial, CellAttempt attempt, AgentEvents listener) {
        JudgeQuestion question = requireNonNull(trial.questions().get(attempt.slot()));
        Judge judge = policy.judgeOf(attempt.slot());
        JudgePreview reads = reads(policy, judge, trial, question);
        return new JudgeCall(
                this,
                attempt,
                JudgeCall.Question.ofJudge(judge, question, reads, () -> hash(attempt, policy, judge)),
                listener);
    }

    private String hash(CellAttempt attempt, JudgePolicy policy, Judge judge) {
        CampaignDefinition definition = attempt.campaign().definition();
        return evaluators.judge(
                attempt.campaign().id(),
                definition.strategy(),
                policy,
                judge,
                new UsedCode(List.of(), definition.code(), ran(List.of(), judge.agent())));
    }

    /** The interpreters that ran code before, and the one that runs {@code agent} where that is own code. */
    List<Interpreter> ran(List<Interpreter> before, Agent agent) {
        return Stream.concat(
                        before.stream(),
                        agent.ownCode().stream()
                                .flatMap(code ->
                                        processes.interpreter(code.script().language()).stream()))
                .toList();
    }

    /**
     * Makes one call of a custom strategy's model; see {@link CellBatch#run}. This worker can ask it.
     *
     * @param slot number of the ask in its trial, from 0
     */
    public CellBatch.Result ask(
            StoredCampaign campaign, int epoch, int ordinal, int slot, StrategyAsk ask, CellBatch.Heartbeat heartbeat) {
        return cells.run(
                campaign,
                epoch,
                CellKind.STRATEGY,
                Map.of(slot, Set.of(ordinal)),
                (attempt, listener) -> new JudgeCall(this, attempt, JudgeCall.Question.ofStrategy(ask), listener),
                heartbeat);
    }

    /** Whether this worker can ask the judge of a call. */
    boolean canAsk(JudgePolicy policy, JudgeQuestion question) {
        return models.canAsk(policy.judgeOf(question.slot()).agent());
    }

    /**
     * Checks that this worker can ask all evaluators, for trials that are not taken on to another queue.
     *
     * @throws AssayException NO_WORKER when this worker cannot ask one of the evaluators. Temporal tries again until a worker that can
     *     ask all of them takes the trials
     */
    public void requireAll(List<Agent> evaluators) {
        evaluators.stream()
                .filter(evaluator -> !models.canAsk(evaluator))
                .findFirst()
                .ifPresent(evaluator -> {
                    throw new AssayException(
                            ErrorCode.NO_WORKER,
                            "Worker " + worker.id() + " cannot ask provider " + evaluator.provider()
                                    + ", which a judge or a strategy needs; give it the settings and the key of the"
                                    + " others");
                });
    }

    private static JudgePreview reads(JudgePolicy policy, Judge judge, Trial trial, JudgeQuestion question) {
        JudgePreview reads = JudgePreview.of(
                trial.conversation(),
                question.shown().stream()
                        .map(branch -> requireNonNull(trial.responses().get(branch)))
                        .toList(),
                judge.maxContextTokens(),
                policy.systemPrompt(),
                question.format(policy));
        JudgeQuestion.Repair repair = question.repair();
        return repair == null ? reads : reads.repair(repair.reply(), repair.problem());
    }
}

package dev.assay.activities.hypothesis;

import dev.assay.activities.agent.AgentContext;
import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.agent.InterruptedLoopException;
import dev.assay.activities.agent.LoopRecord;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.hypothesis.ChallengeReply;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.hypothesis.HypothesisRepository.Question;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Has a batch of hypotheses scored. When the reply leaves some without usable scores, it asks once more, for these alone, in a
 * conversation of its own. It records the first reply before that. So a worker that resumes the batch does not pay for it again.
 */
public final class ChallengerRunner implements AgentRunner {

    private static final int REPAIR = 2;

    private final AgentRunner agent;
    private final Question question;
    private final int batchIndex;

    /**
     * @param agent runs the challenger, once for each request
     * @param batchIndex from 0
     */
    public ChallengerRunner(AgentRunner agent, Question question, int batchIndex) {
        this.agent = agent;
        this.question = question;
        this.batchIndex = batchIndex;
    }

    @Override
    public AgentResult run(AgentTask task, AgentContext context) throws InterruptedException {
        long start = context.nanoTime().getAsLong();
        List<RecordedTurn> recorded = context.record().turns();
        LoopSoFar first = recorded.isEmpty()
                ? agent.run(asking(task, task.prompts(), task.timeout()), with(context, context.client()))
                        .said()
                : LoopSoFar.recorded(task.prompts(), recorded);
        ChallengeReply reply = ChallengeReply.read(
                question.rubric(), question.batch().ids(), List.of(Transcript.response(first.newMessages())));
        if (reply.invalid().isEmpty()) {
            return new AgentResult(OutcomeStatus.COMPLETED, null, first);
        }
        Duration elapsed = Duration.ofNanos(context.nanoTime().getAsLong() - start);
        if (recorded.isEmpty()) {
            context.record()
                    .turn(new RecordedTurn(
                            1,
                            first.newMessages().getLast(),
                            first.measured(),
                            elapsed,
                            Map.of(),
                            first.provenance(),
                            first.warnings()));
        }
        return repaired(first, reply, task, task.timeout().minus(elapsed), context);
    }

    private AgentResult repaired(
            LoopSoFar first, ChallengeReply reply, AgentTask task, Duration remaining, AgentContext context)
            throws InterruptedException {
        List<Message> prompts = List.of(Message.user(question.batch().repair(question.rubric(), reply)));
        ModelClient secondTurn = request -> context.client().ask(ofRepair(request));
        try {
            LoopSoFar second = agent.run(asking(task, prompts, remaining), with(context, secondTurn))
                    .said();
            return new AgentResult(OutcomeStatus.COMPLETED, null, first.then(second));
        } catch (AgentLoopException e) {
            throw e.after(first);
        } catch (InterruptedLoopException e) {
            throw e.after(first);
        }
    }

    private AgentTask asking(AgentTask task, List<Message> prompts, Duration timeout) {
        // Scripts give their answers in turn, by batch as otherwise by trial.
        int trial = task.branch().agent().isWritten() ? batchIndex + 1 : task.trial();
        return new AgentTask(
                task.loop(),
                task.branch(),
                task.context(),
                prompts,
                trial,
                task.attempt(),
                timeout,
                task.maxOutputTokens());
    }

    /** The context of a loop with one turn: a recorded first reply is no turn of it. */
    private static AgentContext with(AgentContext context, ModelClient client) {
        return new AgentContext(client, context.nanoTime(), context.listener(), LoopRecord.NONE, context.caseTime());
    }

    private static ModelRequest ofRepair(ModelRequest request) {
        return new ModelRequest(
                request.systemPrompt(),
                request.messages(),
                request.tools(),
                request.trial(),
                request.attempt(),
                REPAIR,
                request.maxOutputTokens(),
                request.timeout());
    }
}

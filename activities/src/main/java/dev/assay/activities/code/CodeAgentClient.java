package dev.assay.activities.code;

import dev.assay.activities.call.RunnableKind.Asking;
import dev.assay.activities.model.CallSign;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.AgentCode;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.grading.CodeAnswers;
import dev.assay.domain.grading.CodeRequest;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A client that asks own code for one case. */
final class CodeAgentClient implements ModelClient {

    private final CodeProcesses processes;
    private final AgentCode code;
    private final Asking asking;

    CodeAgentClient(CodeProcesses processes, AgentCode code, Asking asking) {
        this.processes = processes;
        this.code = code;
        this.asking = asking;
    }

    /**
     * @throws ModelException AGENT_FAILED when the code gave no answer, EVAL_CASE_TIMEOUT when it took too long,
     *     EVAL_CODE_UNAVAILABLE when it may not run here or could not be started
     */
    @Override
    public ModelReply ask(ModelRequest asked) throws InterruptedException {
        String prompt = CodeAnswers.prompt(asked.systemPrompt(), asked.messages());
        CodeRequest request =
                CodeAnswers.request(code, asking.label(), prompt, asking.vars(), seconds(asked.timeout()));
        CodeAnswer answer = processes.answer(asking.campaignId(), asking.code(), request);
        return switch (CodeAnswers.read(answer.reply(), code.name())) {
            case CodeAnswers.Answer.Given given ->
                new ModelReply(
                        Message.assistant(given.text()),
                        new Measured(given.usage().ofAnswer(), given.costUsd(), answer.took()),
                        null,
                        given.warnings(),
                        Provenance.NONE);
            case CodeAnswers.Answer.Nothing(String why) -> throw failure(answer.end(), why, request.timeoutSeconds());
        };
    }

    private static int seconds(Duration timeout) {
        long seconds = (timeout.toMillis() + 999) / TimeUnit.SECONDS.toMillis(1);
        return Math.toIntExact(Math.clamp(seconds, 1, TimeUnit.DAYS.toSeconds(1)));
    }

    private ModelException failure(CodeAnswer.End end, String why, int seconds) {
        return switch (end) {
            case REPLIED, DIED -> new ModelException(ErrorCode.AGENT_FAILED, why, null, CallSign.ANSWERED, null);
            case OUT_OF_TIME ->
                new ModelException(
                        ErrorCode.EVAL_CASE_TIMEOUT,
                        "The code of %s did not answer within %d s and was stopped; raise limits.timeoutSeconds, or ask for less."
                                .formatted(code.name(), seconds),
                        null,
                        null);
            case NOT_STARTED -> new ModelException(ErrorCode.EVAL_CODE_UNAVAILABLE, why, null, null);
        };
    }
}

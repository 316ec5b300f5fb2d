package dev.assay.domain.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.error.Failure;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.message.Message;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Reported;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one branch in one trial.
 *
 * @param ordinal number of the trial (see {@link dev.assay.domain.plan.TrialGrid})
 * @param branchIndex 0-based, into the campaign's branches
 * @param loopId names the agent loop, as {@link LoopId#text}
 * @param measured tokens and cost of all attempts that answered; time from the first request to the last answer of the attempt
 *     that ended the cell
 * @param checks what the checks said; empty when the outcome did not complete
 */
public record Outcome(
        int ordinal,
        int branchIndex,
        String loopId,
        End end,
        Answer answer,
        Measured measured,
        List<CheckResult> checks) {

    public Outcome {
        checks = List.copyOf(checks);
        measured = end.status().isAnswer() ? measured.ofAnswer() : measured;
    }

    /**
     * The end of an outcome.
     *
     * @param failure why it did not complete; null when it did
     * @param attempts how often the cell was tried, at least 1 when a provider was asked
     */
    public record End(OutcomeStatus status, @Nullable Failure failure, int attempts) {}

    /**
     * The answer of a branch.
     *
     * @param newMessages what was added to the context: the prompt and everything after it
     * @param originalContextLength messages of the context before anything was added
     * @param response text that checks and judges read; empty when there is none
     * @param provenance where it comes from; nothing where only the text is wanted
     * @param program what the program left behind that answered; null: none did
     * @param finishReason why the model ended its last answer, in the provider's word; null where it does not say
     * @param output what a transform of the branch or case made of the response for checks and graders; null: the response itself
     */
    public record Answer(
            List<Message> newMessages,
            int originalContextLength,
            String response,
            Provenance provenance,
            @Nullable ProgramRun program,
            @Nullable String finishReason,
            @Nullable JsonNode output) {

        public Answer {
            newMessages = List.copyOf(newMessages);
        }

        /** An answer that checks see as it is. */
        public Answer(
                List<Message> newMessages,
                int originalContextLength,
                String response,
                Provenance provenance,
                @Nullable ProgramRun program,
                @Nullable String finishReason) {
            this(newMessages, originalContextLength, response, provenance, program, finishReason, null);
        }

        /** An answer that no program gave. */
        public Answer(List<Message> newMessages, int originalContextLength, String response, Provenance provenance) {
            this(newMessages, originalContextLength, response, provenance, null, null);
        }

        /** An answer without provenance. */
        public Answer(List<Message> newMessages, int originalContextLength, String response) {
            this(newMessages, originalContextLength, response, Provenance.NONE);
        }
    }

    /** The same with other results of its checks. */
    public Outcome withChecks(List<CheckResult> other) {
        return new Outcome(ordinal, branchIndex, loopId, end, answer, measured, other);
    }

    /** The same, of whose response a transform made {@code output}. */
    public Outcome withOutput(JsonNode output) {
        boolean isResponse = output.isTextual() && output.textValue().equals(response());
        Answer seen = new Answer(
                answer.newMessages(),
                answer.originalContextLength(),
                answer.response(),
                answer.provenance(),
                answer.program(),
                answer.finishReason(),
                isResponse ? null : output);
        return new Outcome(ordinal, branchIndex, loopId, end, seen, measured, checks);
    }

    /** The same without its transcript, what a program left behind, and the results of its checks. */
    public Outcome withoutTranscript() {
        return new Outcome(
                ordinal,
                branchIndex,
                loopId,
                end,
                new Answer(
                        List.of(),
                        answer.originalContextLength(),
                        answer.response(),
                        answer.provenance(),
                        null,
                        answer.finishReason()),
                measured,
                List.of());
    }

    /**
     * The same without content. What it used is kept. An error stays the error that it was; an answer becomes one.
     *
     * @param refused why its answer is not kept
     */
    public Outcome withoutContent(Failure refused) {
        return new Outcome(
                ordinal,
                branchIndex,
                loopId,
                end.status().isFailure() ? end : new End(OutcomeStatus.MODEL_ERROR, refused, end.attempts()),
                new Answer(List.of(), answer.originalContextLength(), ""),
                measured,
                List.of());
    }

    /** The status at its end. */
    public OutcomeStatus status() {
        return end.status();
    }

    /** The reason why it did not complete; null when it did. */
    public @Nullable Failure failure() {
        return end.failure();
    }

    /** The messages after the context: the prompt and everything after it. */
    public List<Message> newMessages() {
        return answer.newMessages();
    }

    /** The text that judges read, and checks where no transform made another answer of it; empty when there is none. */
    public String response() {
        return answer.response();
    }

    /** What checks and graders see: the response, or what a transform made of it. */
    public JsonNode seen() {
        return answer.output() == null ? TextNode.valueOf(response()) : answer.output();
    }

    /** Tokens of all attempts that answered. */
    public Usage usage() {
        return measured.usage();
    }

    /** The exit code of the program that answered; null: none did, or it did not end by itself. */
    public @Nullable Integer exitCode() {
        return answer.program() == null ? null : answer.program().evidence().exitCode();
    }

    /** The usage and cost that the program printed which answered; null: they count as its usage, or no program answered. */
    public @Nullable Reported reported() {
        return answer.program() == null || answer.program().models() == null
                ? null
                : answer.program().models().reported();
    }

    /** How far the program that answered was kept apart; null: none answered, or an earlier build recorded it. */
    public @Nullable IsolationLevel isolation() {
        return answer.program() == null ? null : answer.program().isolation();
    }

    /** Cost of {@link #usage} in US dollars; null where no price is known. */
    public @Nullable BigDecimal costUsd() {
        return measured.costUsd();
    }

    /** Time from the first request to the last answer of the attempt that ended the cell. */
    public Duration latency() {
        return measured.latency();
    }
}

package dev.assay.activities.judging;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.agent.LoopName;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ResolvedModel;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.FinishedJudgeCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one judge call.
 *
 * @param campaign the campaign
 * @param judge who is asked
 * @param question what is asked
 * @param reads what the judge reads
 * @param cell the call's cell
 * @param attempt of the cell, from 1
 * @param listener hears what happens in the judge's loop
 */
record JudgeCall(
        StoredCampaign campaign,
        Agent judge,
        JudgeQuestion question,
        JudgePreview reads,
        RunningCell cell,
        int attempt,
        AgentEvents listener) {

    ModelRequest request(ResolvedModel model) {
        return new ModelRequest(
                model.choice(),
                reads.systemPrompt(),
                List.of(prompt()),
                campaign.grid().trial(ordinal()),
                attempt,
                model.maxOutputTokens(),
                campaign.definition().limits().timeout());
    }

    LoopEvents events() {
        return new LoopEvents(new LoopName(campaign.sessionId(ordinal()), loopId()), listener);
    }

    /** What was said; nothing without a reply. */
    List<Message> messages(@Nullable ModelReply reply) {
        return reply == null ? List.of() : List.of(prompt(), reply.message());
    }

    /** What is recorded of the call. */
    FinishedJudgeCall finished(OutcomeStatus status, @Nullable ModelReply reply, @Nullable Failure failure) {
        return new FinishedJudgeCall(
                ordinal(),
                loopId(),
                status,
                new JudgePreview(reads.systemPrompt(), reads.prompt(), reads.compaction(), warning(reply)),
                new JudgeAnswer(
                        question.slot(),
                        question.shown(),
                        reply == null ? null : reply.message().text(),
                        failure,
                        status.isFinal()),
                reply == null ? Measured.NONE : new Measured(reply.usage(), reply.costUsd(), reply.latency()),
                attempt);
    }

    /** What users should know of what the judge read and said; null: nothing. */
    private @Nullable String warning(@Nullable ModelReply reply) {
        List<String> warnings = new ArrayList<>();
        if (reads.warning() != null) {
            warnings.add(reads.warning());
        }
        if (reply != null) {
            warnings.addAll(reply.warnings());
        }
        return warnings.isEmpty() ? null : String.join(" ", warnings);
    }

    Message prompt() {
        return Message.user(reads.prompt());
    }

    private String loopId() {
        ModelChoice choice = judge.choice();
        String segment = LoopId.segment(null, choice.provider(), choice.model(), choice.thinking());
        int place = campaign.definition().branches().size() + question.slot();
        return campaign.loopId(ordinal(), place, segment);
    }

    private int ordinal() {
        return cell.key().ordinal();
    }
}

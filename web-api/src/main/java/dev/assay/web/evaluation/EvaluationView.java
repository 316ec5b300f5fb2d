package dev.assay.web.evaluation;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.campaign.BaseContext;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.tool.ToolWriter;
import dev.assay.domain.usage.Usage;
import dev.assay.web.outcome.JudgeCallView;
import dev.assay.web.outcome.OutcomeError;
import dev.assay.web.outcome.SelectionView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation and its result.
 *
 * @param name for people
 * @param sessionId the conversation that it belongs to; its continuations have the same
 * @param continues the evaluation from whose selected context it goes on; null: it began the session
 * @param state how far it is; FAILED also when no branch completed
 * @param selectedIndex 0-based, into the branches; null while nothing is selected
 * @param selectedBranchId the same by name
 * @param selectedLoopId name of the loop that won
 * @param selectedMessages what the winner added to the context, as it was said; null while nothing is selected
 * @param selectedContext the conversation after the winner: the context and selectedMessages
 * @param context the winner's whole context, from which a continuation goes on; null while nothing is selected
 * @param outcomes what each branch produced, in the order of the branches; a branch that is not done is not there yet
 * @param evaluationUsage tokens of the judges, or of the custom strategy, as far as they are known
 * @param evaluationUnknownUsage of their answers, those whose input, output or total was not reported
 * @param totalUsage evaluationUsage and the tokens of all branches, as far as they are known
 * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code totalUsage} in full
 * @param costUsd cost of all that, in US dollars; null where no price is known
 * @param latencyMs milliseconds from the start to the end; null while it goes on
 * @param selection the strategy's decision and what judges read and said; null while there is none
 * @param error why nothing was selected; null otherwise
 * @param progress how far its branches are; null once it has ended
 * @param warnings what its author should know
 * @param createdAt when it was submitted
 * @param createdBy a token's name; local: a user of the server's machine; command: a command that brought its own server; null:
 *     not known
 * @param finishedAt when it ended; null while it goes on
 */
@Schema(name = "Evaluation")
public record EvaluationView(
        String id,
        String name,
        String sessionId,
        @Nullable String continues,
        CampaignState state,
        @Nullable Integer selectedIndex,
        @Nullable String selectedBranchId,
        @Nullable String selectedLoopId,
        @Nullable List<Message> selectedMessages,
        @Nullable List<Message> selectedContext,
        @Nullable SelectedContext context,
        List<BranchOutcome> outcomes,
        Usage evaluationUsage,
        long evaluationUnknownUsage,
        Usage totalUsage,
        long unknownUsage,
        @Nullable BigDecimal costUsd,
        @Nullable Long latencyMs,
        @Nullable Decision selection,
        @Nullable OutcomeError error,
        @Nullable Progress progress,
        List<CampaignWarning> warnings,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant finishedAt) {

    public EvaluationView {
        outcomes = List.copyOf(outcomes);
        warnings = List.copyOf(warnings);
    }

    /**
     * What lists show, with what they leave out.
     *
     * @param said what the winner added to the context; null while nothing is selected
     * @param context the winner's
     * @param outcomes with their messages
     * @param progress null once it has ended
     */
    static EvaluationView of(
            EvaluationListItem item,
            @Nullable List<Message> said,
            @Nullable SelectedContext context,
            List<BranchOutcome> outcomes,
            @Nullable Decision selection,
            @Nullable Progress progress) {
        return new EvaluationView(
                item.id(),
                item.name(),
                item.sessionId(),
                item.continues(),
                item.state(),
                item.selectedIndex(),
                item.selectedBranchId(),
                item.selectedLoopId(),
                said,
                context == null ? null : context.messages(),
                context,
                outcomes,
                item.evaluationUsage(),
                item.evaluationUnknownUsage(),
                item.totalUsage(),
                item.unknownUsage(),
                item.costUsd(),
                item.latencyMs(),
                selection,
                item.error(),
                progress,
                item.warnings(),
                item.createdAt(),
                item.createdBy(),
                item.finishedAt());
    }

    /**
     * How far an evaluation is.
     *
     * @param cellsTotal branches, or batches of hypotheses
     * @param cellsDone those that have their outcome
     * @param eta when all will have it, by the speed of the last 5 min and by limits of providers; null: that is not known
     */
    @Schema(name = "EvaluationProgress")
    public record Progress(
            long cellsTotal, long cellsDone, @Nullable Instant eta) {}

    /**
     * The product of one branch.
     *
     * @param loopId name of its loop
     * @param status how it ended
     * @param selected whether it won
     * @param originalContextLength messages of the context before the branch added any
     * @param messages what it added, the prompts first
     * @param response its text that a judge reads; empty when there is none
     * @param usage tokens of all its turns; null where those of any are not known
     * @param costUsd in US dollars; null where no price is known
     * @param latencyMs milliseconds from the first request to the last answer
     * @param attempts how often it was tried
     * @param score the mean of the checks' scores by their weights, 0–1; without checks 1 where it completed; null: not known
     * @param checks what each check said
     * @param warnings what its loop warned of, as sentences
     * @param requested provider, model, thinking and parameters as the evaluation states them; null: no model is asked, or an earlier build
     *     recorded it
     * @param effective the last answered request as it was sent, without system prompt, messages and tools. Null: nothing was
     *     answered over a network, or an earlier build recorded it
     * @param served what the last answer says of its origin; null: as for effective
     * @param error why it did not complete; null when it did
     */
    @Schema(name = "EvaluationOutcome")
    public record BranchOutcome(
            String branchId,
            String loopId,
            OutcomeStatus status,
            boolean selected,
            int originalContextLength,
            List<Message> messages,
            String response,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs,
            int attempts,
            @Nullable Double score,
            List<CheckResult> checks,
            List<String> warnings,
            @Schema(implementation = Object.class) @Nullable JsonNode requested,
            @Schema(implementation = Object.class) @Nullable JsonNode effective,
            @Nullable Served served,
            @Nullable OutcomeError error) {

        public BranchOutcome {
            messages = List.copyOf(messages);
            checks = List.copyOf(checks);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The context that the winner leaves. Sent as {@code context} of another evaluation, it is where the branches of that one
     * start.
     *
     * @param systemPrompt what the winner was told; null: nothing
     * @param messages the conversation, oldest first: the same as selectedContext
     * @param tools what its model may call, as in a campaign file
     */
    @Schema(name = "EvaluationContext")
    public record SelectedContext(@Nullable String systemPrompt, List<Message> messages, List<JsonNode> tools) {

        public SelectedContext {
            messages = List.copyOf(messages);
            tools = List.copyOf(tools);
        }

        static SelectedContext of(BaseContext context) {
            List<JsonNode> tools = new ArrayList<>();
            ToolWriter.write(context.tools()).forEach(tools::add);
            return new SelectedContext(context.systemPrompt(), context.messages(), tools);
        }
    }

    /**
     * The decision about the winner.
     *
     * @param decision what was decided, and why
     * @param judge what judges read and said; empty when none was asked
     */
    @Schema(name = "EvaluationSelection")
    public record Decision(@JsonUnwrapped SelectionView decision, List<JudgeCallView> judge) {

        public Decision {
            judge = List.copyOf(judge);
        }
    }
}

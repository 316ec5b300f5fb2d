package dev.assay.web.trial;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.message.Message;
import dev.assay.web.outcome.JudgeCallView;
import dev.assay.web.outcome.SelectionView;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one trial: what was asked, what every branch said, and what judges read and said of it.
 *
 * @param position its place in the suite, from 0
 * @param trial which repetition, from 1
 * @param tags of the case
 * @param context the conversation before the prompts
 * @param prompts what is asked
 * @param checks the rules of the case, as a campaign file says them
 * @param outcomes what branches produced, in their order; those that are open are missing
 * @param selection the strategy's decision; null: none yet
 * @param complete whether the decision stands: all cells of the trial are final
 * @param judge what judges read and said; empty when no model judged it
 */
@Schema(name = "Trial")
record TrialView(
        @Schema(example = "france") String caseId,
        int position,
        int trial,
        List<String> tags,
        List<Message> context,
        List<Message> prompts,

        @ArraySchema(schema = @Schema(implementation = Object.class))
        List<JsonNode> checks,

        List<TranscriptView> outcomes,
        @Nullable SelectionView selection,
        boolean complete,
        List<JudgeCallView> judge) {

    TrialView {
        tags = List.copyOf(tags);
        context = List.copyOf(context);
        prompts = List.copyOf(prompts);
        checks = List.copyOf(checks);
        outcomes = List.copyOf(outcomes);
        judge = List.copyOf(judge);
    }
}

package dev.assay.web.hypothesis;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.hypothesis.HypothesisSummary;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis evaluation in a list, without its hypotheses; the fields are those of {@link HypothesisEvaluationView}.
 *
 * @param state how far it is
 * @param mode single, batched or individual
 * @param summary counts and mean
 * @param metrics what the calls took
 * @param costUsd in US dollars; null where it is not known
 * @param createdAt when it was submitted
 * @param createdBy a token's name; local: a user of the server's machine; command: a command that brought its own server; null:
 *     not known
 * @param finishedAt when it ended; null while it goes on
 */
@Schema(name = "HypothesisListItem")
record HypothesisListItem(
        String id,
        CampaignState state,
        String mode,

        HypothesisSummary summary,
        HypothesisEvaluationView.Metrics metrics,
        @Nullable BigDecimal costUsd,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant finishedAt) {

    static HypothesisListItem of(HypothesisEvaluationView view) {
        return new HypothesisListItem(
                view.id(),
                view.state(),
                view.plan().mode(),
                view.summary(),
                view.metrics(),
                view.costUsd(),
                view.createdAt(),
                view.createdBy(),
                view.finishedAt());
    }
}

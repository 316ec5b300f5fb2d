package dev.assay.store.delivery;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.delivery.ProviderBatch.Problem;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is about to be made.
 *
 * @param run the campaign's epoch in which it is made
 * @param workerId who makes it
 * @param deadline when it is to be cancelled; null: never
 * @param lines in the campaign's order, at least one
 * @param refusal why it is never handed over, and its cells fail; null: it is
 */
public record NewBatch(
        String id,
        RunKey run,
        String workerId,
        CellKind kind,
        Target target,
        @Nullable Instant deadline,
        List<Line> lines,
        @Nullable Problem refusal) {

    public NewBatch {
        lines = List.copyOf(lines);
    }

    /**
     * Who answers it.
     *
     * @param queue the task queue of the workers that can ask the provider
     */
    public record Target(String provider, String model, String queue) {}

    /**
     * A request.
     *
     * @param requestId of its row in the ledger
     * @param slot the branch's index
     * @param bytes of its line
     * @param tokens of its input, estimated
     * @param worstCaseUsd what it costs at most at the price of batches; null: no price is known
     */
    public record Line(
            long requestId,
            int ordinal,
            int slot,
            long bytes,
            long tokens,
            @Nullable BigDecimal worstCaseUsd) {

        /** The same, of a batch that is never handed over: it costs nothing. */
        public Line unsent() {
            return new Line(requestId, ordinal, slot, bytes, 0, worstCaseUsd == null ? null : BigDecimal.ZERO);
        }
    }
}

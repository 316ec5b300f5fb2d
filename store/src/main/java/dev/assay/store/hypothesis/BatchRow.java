package dev.assay.store.hypothesis;

import dev.assay.domain.error.Failure;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch and its result.
 *
 * @param index from 0
 * @param ids its hypotheses in input order
 * @param shown the same in the order in which the model sees them
 * @param end the result; null: it has not ended
 */
public record BatchRow(
        int index,
        List<String> ids,
        List<String> shown,
        @Nullable End end) {

    /**
     * The end of a batch.
     *
     * @param replies what the model answered, the reply to the repair last
     * @param failure why it ended; null: it was answered
     * @param usage tokens of its replies
     * @param costUsd cost of its replies in US dollars; null where it is not known
     */
    public record End(
            List<String> replies,
            @Nullable Failure failure,
            Usage usage,
            @Nullable BigDecimal costUsd) {

        public End {
            replies = List.copyOf(replies);
        }
    }

    public BatchRow {
        ids = List.copyOf(ids);
        shown = List.copyOf(shown);
    }
}

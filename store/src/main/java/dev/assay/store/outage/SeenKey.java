package dev.assay.store.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key that a worker has.
 *
 * @param isNew whether the worker says so for the first time
 * @param sinceTaken since a call with it was last answered there; null: none was
 * @param refused what refuses it, when that is news; null: nothing new
 */
public record SeenKey(
        KeyMark key,
        boolean isNew,
        @Nullable Duration sinceTaken,
        @Nullable Refused refused) {

    /**
     * The refusals of a key.
     *
     * @param times how many ends in a row, at least 1
     * @param words of the last one
     */
    public record Refused(Outage.Reason reason, int times, String words, List<ModelPool> pools) {

        public Refused {
            pools = List.copyOf(pools);
        }
    }
}

package dev.assay.web.outcome;

import dev.assay.store.result.FinalErrors.FinalError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The errors with which cells of a campaign ended.
 *
 * @param items by their code, the most frequent first
 * @param nextPageToken null: there are no more
 */
record ErrorList(List<FinalError> items, @Nullable String nextPageToken) {

    ErrorList {
        items = List.copyOf(items);
    }
}

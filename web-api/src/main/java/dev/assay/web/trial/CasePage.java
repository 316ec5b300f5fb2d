package dev.assay.web.trial;

import dev.assay.store.suite.CaseExcerpt;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a suite.
 *
 * @param items in the suite's order
 * @param nextFrom {@code from} of the next part; null: there is none
 */
@Schema(name = "CasePage")
record CasePage(List<CaseExcerpt> items, @Nullable Integer nextFrom) {

    CasePage {
        items = List.copyOf(items);
    }

    /** The part of at most {@code limit} of {@code found}; the query asked for one more than that. */
    static CasePage of(List<CaseExcerpt> found, int limit) {
        return found.size() <= limit
                ? new CasePage(found, null)
                : new CasePage(found.subList(0, limit), found.get(limit).position());
    }
}

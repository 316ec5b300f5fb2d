package dev.assay.web.trial;

import dev.assay.store.cases.CaseExcerpt;
import dev.assay.store.page.Page;
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

    static CasePage of(Page<CaseExcerpt> page) {
        boolean isLast = page.nextPageToken() == null;
        return new CasePage(page.items(), isLast ? null : page.items().getLast().position() + 1);
    }
}

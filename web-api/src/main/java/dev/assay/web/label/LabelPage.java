package dev.assay.web.label;

import dev.assay.store.label.CellLabel;
import dev.assay.store.page.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of labels.
 *
 * @param nextPageToken asks for the items that follow; null: there are none
 */
record LabelPage(List<ListedLabel> items, @Nullable String nextPageToken) {

    LabelPage {
        items = List.copyOf(items);
    }

    static LabelPage of(Page<CellLabel> page) {
        return new LabelPage(page.items().stream().map(ListedLabel::of).toList(), page.nextPageToken());
    }
}

package dev.assay.web.label;

import dev.assay.web.outcome.LabelView;
import java.util.List;

/** The labels of a cell that are in force, the oldest first. */
record LabelList(List<LabelView> items) {

    LabelList {
        items = List.copyOf(items);
    }
}

package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.label.Label;
import org.jspecify.annotations.Nullable;

/**
 * An item of a sample.
 *
 * @param name what who labels sees of it
 * @param check what the sample asks about; null: the trial as a whole
 */
public record SampleItem(
        String name,
        String sample,
        @Nullable String check,
        String campaignId,
        int ordinal,
        int branchIndex,
        Draw draw) {

    /** Its cell with a label. */
    public LabelledCell cell(Label label) {
        return new LabelledCell(campaignId, ordinal, branchIndex, draw, label);
    }
}

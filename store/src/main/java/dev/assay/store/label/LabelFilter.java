package dev.assay.store.label;

import dev.assay.domain.label.LabelValue;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of labels; null components do not restrict it.
 *
 * @param check of this check
 * @param sample that came with this sample
 */
public record LabelFilter(
        @Nullable String branchId,
        @Nullable String labeller,
        @Nullable String check,
        LabelValue.@Nullable Word verdict,
        @Nullable String sample) {

    /** All labels. */
    public static final LabelFilter ALL = new LabelFilter(null, null, null, null, null);
}

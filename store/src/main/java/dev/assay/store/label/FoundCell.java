package dev.assay.store.label;

import dev.assay.domain.draw.Draw;

/** What a name of a cell stands for. */
public sealed interface FoundCell {

    /** The answer that the cell holds now. */
    record Answer(int ordinal, int branchIndex, Draw draw) implements FoundCell {}

    /** There is no answer to label. */
    record NoAnswer(String branchId) implements FoundCell {}

    /**
     * The campaign has no such cell.
     *
     * @param part {@code case}, {@code branch} or {@code trial}
     * @param sentence what it lacks
     */
    record Unknown(String part, String sentence) implements FoundCell {}
}

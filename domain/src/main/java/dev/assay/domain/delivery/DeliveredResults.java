package dev.assay.domain.delivery;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the result files of one batch say of its items. Lines come in any order, more than once, and from other batches; of each item
 * the first line that can be read counts.
 *
 * @param <I> what an item is known by
 */
public final class DeliveredResults<I> {

    private final Function<String, @Nullable I> itemOf;
    private final Set<I> seen = new HashSet<>();
    private int duplicates;
    private int strangers;

    /** What a line is to the batch. */
    public enum Part {
        /** The first line of an item that can be read. */
        OWN,
        /** A later line of an item. */
        DUPLICATE,
        /** A line of an item of another batch. */
        STRANGER,
        /** A line that cannot be read, which is as none. */
        NONE
    }

    /** @param itemOf the item of a custom id; null: the batch has none of it */
    public DeliveredResults(Function<String, @Nullable I> itemOf) {
        this.itemOf = itemOf;
    }

    /** Takes the next line of a file. */
    public Part take(DeliveredLine line) {
        if (line.customId() == null) {
            return Part.NONE;
        }
        I item = itemOf.apply(line.customId());
        if (item == null) {
            strangers++;
            return Part.STRANGER;
        }
        if (line.end() == LineEnd.UNREADABLE) {
            return Part.NONE;
        }
        if (!seen.add(item)) {
            duplicates++;
            return Part.DUPLICATE;
        }
        return Part.OWN;
    }

    /** Whether the files are somebody else's: nothing of them may be recorded. */
    public boolean isForeign() {
        return strangers > 0 && seen.isEmpty();
    }

    /** Later lines of items. */
    public int duplicates() {
        return duplicates;
    }

    /** Lines of other batches. */
    public int strangers() {
        return strangers;
    }
}

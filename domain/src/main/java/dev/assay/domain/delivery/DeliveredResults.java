package dev.assay.domain.delivery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * What the result files of one batch say of its items. Lines come in any order, more than once, and from other batches; of each item
 * the first line that can be read counts.
 */
public final class DeliveredResults {

    private final SequencedSet<String> ids;
    private final Map<String, LineEnd> ends;
    private boolean isComplete = true;
    private long duplicates;
    private long strangers;

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

    /**
     * All that the files say.
     *
     * @param isForeign whether they are somebody else's: nothing of them may be recorded
     * @param again whether they are to be read again, since one broke off
     * @param ends of the items, in their order; an item without a line is {@link LineEnd#MISSING} unless {@code again}, else left out
     * @param duplicates later lines of items
     * @param strangers lines of other batches
     */
    public record Collected(
            boolean isForeign, boolean again, SequencedMap<String, LineEnd> ends, long duplicates, long strangers) {}

    /** @param ids the custom ids of the batch's items, in their order */
    public DeliveredResults(SequencedSet<String> ids) {
        this.ids = ids;
        this.ends = LinkedHashMap.newLinkedHashMap(ids.size());
    }

    /** Takes the next line of a file. */
    public Part take(DeliveredLine line) {
        String id = line.customId();
        if (id == null) {
            return Part.NONE;
        }
        if (!ids.contains(id)) {
            strangers++;
            return Part.STRANGER;
        }
        if (line.end() == LineEnd.UNREADABLE) {
            return Part.NONE;
        }
        if (ends.putIfAbsent(id, line.end()) != null) {
            duplicates++;
            return Part.DUPLICATE;
        }
        return Part.OWN;
    }

    /** Takes the end of a file. */
    public void end(boolean isFileComplete) {
        isComplete &= isFileComplete;
    }

    /** What all files have said. */
    public Collected collected() {
        if (strangers > 0 && ends.isEmpty()) {
            return new Collected(true, false, new LinkedHashMap<>(), 0, strangers);
        }
        SequencedMap<String, LineEnd> all = new LinkedHashMap<>();
        for (String id : ids) {
            LineEnd end = ends.get(id);
            if (end != null) {
                all.put(id, end);
            } else if (isComplete) {
                all.put(id, LineEnd.MISSING);
            }
        }
        return new Collected(false, !isComplete, all, duplicates, strangers);
    }
}

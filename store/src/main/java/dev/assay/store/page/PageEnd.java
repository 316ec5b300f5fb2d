package dev.assay.store.page;

import java.util.List;

/**
 * The end of a page: before the item that takes it past {@link #MOST}.
 *
 * @param items how many it has, at least one where there are any
 * @param bytes of its items, as they are estimated
 * @param isLast whether no items follow
 */
public record PageEnd(int items, long bytes, boolean isLast) {

    /** Bytes of the items of a page. One item may be larger. */
    public static final long MOST = 8 * 1024 * 1024;

    /** Names, numbers and times of an item. */
    private static final long ITEM = 512;

    /**
     * The end of a page of at most {@code size} items.
     *
     * @param octets lengths of the texts of its items, in the order of the list; one more than {@code size} where more follow
     */
    public static PageEnd of(List<Long> octets, int size) {
        long bytes = 0;
        int items = 0;
        while (items < Math.min(size, octets.size())) {
            long next = bytes + estimate(octets.get(items));
            if (items > 0 && next > MOST) {
                break;
            }
            bytes = next;
            items++;
        }
        return new PageEnd(items, bytes, items == octets.size());
    }

    /** The bytes of an item whose texts have so many: a tenth more for what JSON escapes. */
    private static long estimate(long octets) {
        return octets + octets / 10 + ITEM;
    }
}

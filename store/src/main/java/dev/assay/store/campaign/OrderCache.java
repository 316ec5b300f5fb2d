package dev.assay.store.campaign;

import dev.assay.domain.plan.DrawnOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** A cache of orders: activities read the same few campaigns all the time, and an order of many cases takes milliseconds to draw. */
final class OrderCache {

    /** An order takes 8 bytes for each case. */
    private static final int SIZE = 16;

    private static final Map<DrawnOrder, DrawnOrder> RECENT = new LinkedHashMap<>(SIZE, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<DrawnOrder, DrawnOrder> eldest) {
            return size() > SIZE;
        }
    };

    private OrderCache() {}

    /** The order that {@code seed} draws. */
    static DrawnOrder drawn(long seed, int cases) {
        DrawnOrder order = new DrawnOrder(seed, cases);
        synchronized (RECENT) {
            return RECENT.computeIfAbsent(order, same -> same);
        }
    }
}

package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.UnitAsk;
import dev.assay.domain.limit.Units;
import dev.assay.domain.permit.CellTurn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The order in which entries of a {@link BoundedRoom} would go if they had units: those with room, then those that soon have some. */
final class UnitQueue<K> {

    private final ToIntFunction<K> room;
    private final ToIntFunction<ModelPool> soon;
    private final Map<K, Integer> left = new HashMap<>();
    private final List<Line<K>> lines = new ArrayList<>();
    private final Map<ModelPool, List<Units>> ready = new HashMap<>();
    private final Map<ModelPool, Boolean> urgent = new HashMap<>();
    private final Map<ModelPool, Integer> all = new HashMap<>();
    /** Later than all turns until now. */
    private long served;

    /** A lane, from the first that has not gone. */
    private static final class Line<K> {
        private final RoomNeeds<K> needs;
        private final ModelPool pool;
        private final List<RoomLane.Waiter> waiters;
        private long served;
        private int next;

        private Line(RoomNeeds<K> needs, ModelPool pool, RoomLane lane) {
            this.needs = needs;
            this.pool = pool;
            this.waiters = lane.inOrder();
            this.served = lane.served();
        }

        private CellTurn turn() {
            return waiters.get(next).turn(needs.isUrgent(), served);
        }
    }

    /**
     * @param room that a bound has, at most 0: none
     * @param soon how many of a pool's entries without room will soon have some
     */
    UnitQueue(ToIntFunction<K> room, ToIntFunction<ModelPool> soon) {
        this.room = room;
        this.soon = soon;
    }

    /** Adds what waits in a lane, where it needs units. */
    void add(RoomNeeds<K> needs, RoomLane lane) {
        ModelPool pool = needs.pool();
        if (pool != null && !lane.isEmpty()) {
            Line<K> line = new Line<>(needs, pool, lane);
            lines.add(line);
            all.merge(pool, line.waiters.size(), Integer::sum);
            served = Math.max(served, line.served);
            needs.all().forEach(bound -> left.computeIfAbsent(bound, room::applyAsInt));
        }
    }

    /** What waits, by pool. */
    Map<ModelPool, UnitStock.Waiting> waiting() {
        for (Line<K> next = next(this::hasRoom); next != null; next = next(this::hasRoom)) {
            next.needs.all().forEach(bound -> left.merge(bound, -1, Integer::sum));
            goes(next);
        }
        Map<ModelPool, Integer> ahead = new HashMap<>();
        all.keySet().forEach(pool -> ahead.put(pool, soon.applyAsInt(pool)));
        Predicate<Line<K>> isSoon = line -> ahead.getOrDefault(line.pool, 0) > 0;
        for (Line<K> next = next(isSoon); next != null; next = next(isSoon)) {
            ahead.merge(next.pool, -1, Integer::sum);
            goes(next);
        }
        Map<ModelPool, UnitStock.Waiting> waiting = new HashMap<>();
        all.forEach((pool, number) -> waiting.put(
                pool,
                new UnitStock.Waiting(ready.getOrDefault(pool, List.of()), urgent.getOrDefault(pool, false), number)));
        return waiting;
    }

    private void goes(Line<K> line) {
        urgent.putIfAbsent(line.pool, line.needs.isUrgent());
        ready.computeIfAbsent(line.pool, _ -> new ArrayList<>())
                .add(line.waiters.get(line.next).units());
        line.next++;
        line.served = ++served;
    }

    private boolean hasRoom(Line<K> line) {
        return line.needs.all().allMatch(bound -> left.getOrDefault(bound, 0) > 0);
    }

    private @Nullable Line<K> next(Predicate<Line<K>> may) {
        return lines.stream()
                .filter(line -> line.next < line.waiters.size())
                .filter(line -> ready.getOrDefault(line.pool, List.of()).size() < UnitAsk.MOST)
                .filter(may)
                .min(Comparator.comparing(Line::turn))
                .orElse(null);
    }
}

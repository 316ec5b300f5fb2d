package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The needs of an entry into a {@link BoundedRoom}.
 *
 * @param bounds under all of which it needs room
 * @param places under which it needs room too, without being counted among those that wait for it
 * @param isUrgent whether it goes before those that are not urgent
 * @param pool of which it needs units; null: of none
 * @param without names of keys whose units it cannot use where there are others
 */
record RoomNeeds<K>(
        List<K> bounds,
        List<K> places,
        boolean isUrgent,
        @Nullable ModelPool pool,
        Set<String> without) {

    RoomNeeds {
        bounds = List.copyOf(bounds);
        places = List.copyOf(places);
        without = Set.copyOf(without);
    }

    /** The needs of an entry that may use all keys. */
    RoomNeeds(List<K> bounds, List<K> places, boolean isUrgent, @Nullable ModelPool pool) {
        this(bounds, places, isUrgent, pool, Set.of());
    }

    /** The needs of an entry that spends no units. */
    RoomNeeds(List<K> bounds, boolean isUrgent) {
        this(bounds, List.of(), isUrgent, null, Set.of());
    }

    /** Whose units it needs: entries with the same wait in one line. */
    Line line() {
        return new Line(pool, without);
    }

    /** The line of those that need the same units; no pool: they need none. */
    record Line(@Nullable ModelPool pool, Set<String> without) {}

    /** All bounds under which it is when it is inside. */
    Stream<K> all() {
        return Stream.concat(bounds.stream(), places.stream());
    }
}

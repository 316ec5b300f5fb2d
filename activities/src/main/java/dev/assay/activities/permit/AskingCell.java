package dev.assay.activities.permit;

import dev.assay.activities.permit.RoomBound.Use;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.permit.PermitPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cell that calls, and what it enters for that. */
final class AskingCell {

    static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    private final BoundedRoom<RoomBound> room;
    private final CallRoute route;
    private final List<PermitPool> pools;
    private final boolean isUrgent;
    private final int position;
    private final @Nullable ThrottledPool pool;
    /** Whose units its requests spend; null: none. */
    private final boolean isLimited;

    /**
     * @param pools of the permits that each of its calls needs
     * @param pool that it asks; null: it refuses nothing
     */
    AskingCell(
            BoundedRoom<RoomBound> room,
            CallRoute route,
            List<PermitPool> pools,
            boolean isUrgent,
            int position,
            @Nullable ThrottledPool pool) {
        this.room = room;
        this.route = route;
        this.pools = pools;
        this.isUrgent = isUrgent;
        this.position = position;
        this.pool = pool;
        this.isLimited = limited() != null;
    }

    /** Whether its requests spent units as it began: it then has its place with its first permit. */
    boolean isLimited() {
        return isLimited;
    }

    /** The pool whose units its requests spend now; null: they spend none. */
    private @Nullable ModelPool limited() {
        return route.limited() == null && pool != null && pool.isLimited() ? pool.pool() : route.limited();
    }

    /**
     * What it got.
     *
     * @param isStray whether it holds no permit of the pool that it asks
     */
    record Entered(
            boolean isInside,
            RoomNeeds<RoomBound> needs,
            @Nullable TakenUnits taken,
            boolean isStray) {}

    @Nullable
    ThrottledPool pool() {
        return pool;
    }

    /** Permits of its provider that this worker has. */
    int ofProvider() {
        return room.use(new RoomBound(Use.PERMIT, PermitPool.provider(route.provider())))
                .limit();
    }

    /** Waits for a place; answers with the bounds under which it has one. */
    List<RoomBound> enterPlace() throws InterruptedException {
        return enter(needed -> new RoomNeeds<>(RoomBound.places(isUrgent, needed), isUrgent), Units.NONE, FOR_EVER)
                .needs()
                .bounds();
    }

    void leavePlace(List<RoomBound> held) {
        // Only what was waited for by itself counts among what is urgent.
        room.leave(new RoomNeeds<>(held, isUrgent && !isLimited()));
    }

    /**
     * Waits for permits and units, and for a place, too, where {@code withPlace}.
     *
     * @param without names of keys whose units it cannot use where there are others
     */
    Entered enterPermit(boolean withPlace, Units spent, Set<String> without, Duration atMost)
            throws InterruptedException {
        return enter(
                needed -> {
                    ModelPool limits = limited();
                    return new RoomNeeds<>(
                            RoomBound.permits(needed),
                            withPlace ? RoomBound.places(isUrgent, needed) : List.of(),
                            isUrgent,
                            limits,
                            limits == null ? Set.of() : without);
                },
                spent,
                atMost);
    }

    /**
     * Enters, and once more where its pool has come to be governed meanwhile: it needs a permit of that, too. So where it has come to have
     * limits, which need units, or to have none.
     */
    private Entered enter(Function<List<PermitPool>, RoomNeeds<RoomBound>> needs, Units spent, Duration atMost)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            ModelPool limits = limited();
            ThrottledPool governing = pool != null && pool.isGoverned() ? pool : null;
            RoomNeeds<RoomBound> needed = needs.apply(governing == null ? pools : governed(governing));
            Duration left = atMost.minusNanos(System.nanoTime() - begin);
            BoundedRoom.Entry entry = room.enter(needed, position, spent, left);
            boolean hasPermitOfIt = governing != null || pool == null || !pool.isGoverned();
            if (!entry.isInside() || (hasPermitOfIt && Objects.equals(limits, limited()))) {
                return new Entered(entry.isInside(), needed, entry.taken(), governing == null);
            }
            leave(needed);
            TakenUnits taken = entry.taken();
            if (taken != null) {
                taken.giveBack();
            }
        }
    }

    private List<PermitPool> governed(ThrottledPool governing) {
        PermitPool own = PermitPool.models(governing.pool());
        if (pools.contains(own)) {
            return pools;
        }
        List<PermitPool> all = new ArrayList<>(pools);
        all.add(own);
        return all;
    }

    private void leave(RoomNeeds<RoomBound> held) {
        room.leave(held);
        if (!held.places().isEmpty()) {
            room.leave(new RoomNeeds<>(held.places(), false));
        }
    }

    /** Gives the permits back; whether the worker may not keep one of them, since others wait for it. */
    boolean leavePermits(Entered entered) {
        RoomNeeds<RoomBound> held = new RoomNeeds<>(entered.needs().bounds(), isUrgent);
        boolean givesBack = held.bounds().stream().map(room::use).anyMatch(use -> use.inside() > use.limit());
        room.leave(held);
        return givesBack;
    }

    /** It is done. */
    void left() {
        if (pool != null) {
            pool.left();
        }
    }
}

package dev.assay.domain.limit;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The units that were spent of all limits of a pool. */
public record PoolSpending(Map<LimitKind, Spending> limits) {

    public PoolSpending {
        EnumMap<LimitKind, Spending> ordered = new EnumMap<>(LimitKind.class);
        ordered.putAll(limits);
        limits = Collections.unmodifiableMap(ordered);
    }

    /**
     * What was spent up to {@code now} of the limits that hold now. A limit that is new begins with nothing spent.
     *
     * @param recorded what is on record, maybe of limits that hold no more
     */
    public static PoolSpending at(
            Instant now, Map<LimitKind, Spending> recorded, Map<LimitKind, Long> inForce, int burstSeconds) {
        Map<LimitKind, Spending> limits = new EnumMap<>(LimitKind.class);
        inForce.forEach((kind, limit) -> {
            Spending known = recorded.get(kind);
            limits.put(
                    kind,
                    known == null
                            ? Spending.none(kind, limit, burstSeconds, now)
                            : known.at(now).withLimit(limit, burstSeconds));
        });
        return new PoolSpending(limits);
    }

    /** An EnumMap cannot be made of an empty map that is none. */
    private Map<LimitKind, Spending> copy() {
        Map<LimitKind, Spending> copy = new EnumMap<>(LimitKind.class);
        copy.putAll(limits);
        return copy;
    }

    /** The same with charges put right. Those of limits that hold no more are left out. */
    public PoolSpending corrected(List<ChargeCorrection> corrections) {
        Map<LimitKind, Spending> right = copy();
        corrections.forEach(correction ->
                right.computeIfPresent(correction.kind(), (_, spending) -> correction.appliedTo(spending)));
        return new PoolSpending(right);
    }

    /** The same with the use of others charged that answers have shown. That of limits that hold no more is left out. */
    public PoolSpending heard(List<OthersUse> uses) {
        Map<LimitKind, Spending> shared = copy();
        uses.forEach(use -> shared.computeIfPresent(use.kind(), (_, spending) -> spending.heard(use)));
        return new PoolSpending(shared);
    }

    /** What a worker gets that asks now. Where no limit is known nobody gets anything: its limits come with its registration. */
    public UnitGrant grant(UnitAsk asker, List<UnitWish> others) {
        return limits.isEmpty() ? UnitGrant.NOTHING : UnitGrant.of(rooms(), asker, others);
    }

    /** The room of each limit. */
    public List<LimitRoom> rooms() {
        return limits.values().stream().map(Spending::room).toList();
    }

    /** The limit that holds a request, if one does; where it only waits for its turn, the fullest one. Null: there is no limit. */
    public @Nullable LimitKind holding(Units request) {
        return rooms().stream()
                .min(Comparator.comparing((LimitRoom room) -> room.fits(room.charge(request)))
                        .thenComparingDouble(room -> (double) room.free() / room.limit()))
                .map(LimitRoom::kind)
                .orElse(null);
    }

    /** The same after what was granted is charged. */
    public PoolSpending spent(UnitGrant grant) {
        Map<LimitKind, Spending> less = copy();
        grant.charged().forEach((kind, charge) -> less.computeIfPresent(kind, (_, spending) -> spending.spent(charge)));
        return new PoolSpending(less);
    }
}

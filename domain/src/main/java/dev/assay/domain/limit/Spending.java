package dev.assay.domain.limit;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The units that were spent of one limit of a pool. Charges count in the slot in which they were made, until that slot leaves the horizon. A
 * pace beside them keeps a whole period's units from going at once.
 *
 * @param limit units a period, 1 to {@value #MOST_LIMIT}; what is above it is cut
 * @param burstSeconds so many seconds' worth may go at once after a pause, at least 1
 * @param at the time up to which it is reckoned, to the millisecond
 * @param credit the level of the pace, in units × milliseconds of the horizon
 * @param slots units by the number of their slot; never negative
 * @param sharedAt when the use of others was last charged; 1970: it never was
 */
public record Spending(
        LimitKind kind,
        long limit,
        int burstSeconds,
        Instant at,
        long credit,
        SortedMap<Long, Long> slots,
        Instant sharedAt) {

    /** The largest limit that has an effect. */
    public static final long MOST_LIMIT = 10_000_000_000L;

    /** The deepest debt of a pace, so that no product overflows. */
    private static final long DEEPEST = -4_000_000_000_000_000_000L;

    /** Milliseconds after which a pace has paid what answers report at the latest. */
    private static final long LONGEST_DEBT_MS = 3_600_000;

    /** By how much of the limit what others spent may differ from what is known before it is no noise: one in so many. */
    private static final long NOISE = 50;

    public Spending {
        if (limit < 1 || burstSeconds < 1) {
            throw new IllegalArgumentException(
                    "A limit and its burst are at least 1, not " + limit + ", " + burstSeconds);
        }
        limit = Math.min(limit, MOST_LIMIT);
        at = Instant.ofEpochMilli(at.toEpochMilli());
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    /** A limit of which nothing was spent. */
    public static Spending none(LimitKind kind, long limit, int burstSeconds, Instant now) {
        Spending empty = new Spending(kind, limit, burstSeconds, now, 0, new TreeMap<>(), Instant.EPOCH);
        return empty.with(empty.fullCredit(), empty.slots);
    }

    /** A limit of which {@code used} was spent by others, or is not known to be unspent. */
    public static Spending begun(LimitKind kind, long limit, int burstSeconds, Instant now, long used) {
        Spending none = none(kind, limit, burstSeconds, now);
        long spent = Math.clamp(used, 0, none.limit);
        return none.with(Math.min(none.credit, none.inCredit(none.limit - spent)), none.plus(none.slot(), spent));
    }

    private Spending with(long newCredit, SortedMap<Long, Long> newSlots) {
        return new Spending(kind, limit, burstSeconds, at, newCredit, newSlots, sharedAt);
    }

    private SortedMap<Long, Long> plus(long slot, long units) {
        SortedMap<Long, Long> sums = new TreeMap<>(slots);
        sums.merge(slot, units, Long::sum);
        return sums;
    }

    private long inCredit(long units) {
        return Math.min(units, Units.MOST) * kind.period().horizonMs();
    }

    private long burst() {
        return Math.max(2, Math.ceilDiv(limit * burstSeconds, 60));
    }

    private long fullCredit() {
        return inCredit(burst());
    }

    /** The number of the slot in which a charge counts that is made now. */
    public long slot() {
        return Math.floorDiv(at.toEpochMilli(), kind.period().slotMs());
    }

    private boolean isCounted(long slot) {
        return slot > slot() - kind.period().slots();
    }

    /** The same at {@code now}. A clock that went back stands still. */
    public Spending at(Instant now) {
        long elapsed = now.toEpochMilli() - at.toEpochMilli();
        if (elapsed <= 0) {
            return this;
        }
        long missing = fullCredit() - credit;
        // After years the product would overflow.
        long grown = elapsed > missing / limit ? missing : limit * elapsed;
        Spending later = new Spending(kind, limit, burstSeconds, now, credit + grown, slots, sharedAt);
        SortedMap<Long, Long> counted = new TreeMap<>(slots);
        counted.entrySet().removeIf(slot -> !later.isCounted(slot.getKey()) || slot.getValue() == 0);
        return later.with(later.credit, counted);
    }

    /** The room that it has. */
    public LimitRoom room() {
        long spent = slots.values().stream().mapToLong(Long::longValue).sum();
        long level = Math.floorDiv(credit, kind.period().horizonMs());
        return new LimitRoom(kind, limit, limit - spent, level, burst());
    }

    /** The same after {@code charge} was spent, which is at most the limit. */
    public Spending spent(long charge) {
        return charge == 0 ? this : owed(slot(), charge);
    }

    /** The same with {@code units} returned to the slot that they were charged to; none where that counts no more. */
    public Spending returned(long slot, long units) {
        Long charged = slots.get(slot);
        if (charged == null || !isCounted(slot)) {
            return this;
        }
        SortedMap<Long, Long> less = new TreeMap<>(slots);
        less.put(slot, Math.max(0, charged - units));
        return with(Math.min(fullCredit(), credit + inCredit(units)), less);
    }

    /** The same with {@code units} more than were charged. They count where the charge does, and now where that counts no more. */
    public Spending owed(long slot, long units) {
        long counted = isCounted(slot) && slot <= slot() ? slot : slot();
        long more = Math.min(units, Units.MOST);
        return with(Math.max(DEEPEST, credit - inCredit(more)), plus(counted, more));
    }

    /** As {@link #owed}, for what an answer reports: it is a stranger's number, and must not stop the pool for years. */
    public Spending reported(long slot, long units) {
        Spending owing = owed(slot, units);
        return owing.with(Math.max(-limit * LONGEST_DEBT_MS, owing.credit), owing.slots);
    }

    /**
     * Units that others spent, who use the same key; 0 where the difference may be noise.
     *
     * @param freeBefore what was free when the request was sent
     */
    public long foreign(long freeBefore, long remaining) {
        long missing = freeBefore - remaining;
        return missing > limit / NOISE ? missing : 0;
    }

    /** The same, with what others spent ({@link #foreign}) charged. */
    public Spending shared(long freeBefore, long remaining) {
        long foreign = foreign(freeBefore, remaining);
        return foreign == 0
                ? this
                : with(Math.min(credit, inCredit(Math.max(0, remaining))), plus(slot(), Math.min(foreign, Units.MOST)));
    }

    /**
     * The same after an answer that says what is left. The use of others is charged once for each state that workers have seen. What a
     * worker was told before the last charge did not have that in it.
     */
    public Spending heard(OthersUse use) {
        if (use.seenAt().isBefore(sharedAt) || foreign(use.freeBefore(), use.remaining()) == 0) {
            return this;
        }
        Spending shared = shared(use.freeBefore(), use.remaining());
        return new Spending(kind, limit, burstSeconds, at, shared.credit, shared.slots, at);
    }

    /** The same after a refusal by rate: its pace allows nothing at once. */
    public Spending refused() {
        return with(Math.min(credit, 0), slots);
    }

    /** The same with another limit and burst, which hold from now on. */
    public Spending withLimit(long newLimit, int newBurstSeconds) {
        Spending other = new Spending(kind, newLimit, newBurstSeconds, at, credit, slots, sharedAt);
        return other.with(Math.min(credit, other.fullCredit()), slots);
    }
}

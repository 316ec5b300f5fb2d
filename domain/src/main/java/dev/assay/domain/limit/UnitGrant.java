package dev.assay.domain.limit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The units that a worker gets of a pool.
 *
 * @param granted how many of its requests may go, the first ones
 * @param charged the units that they are charged, by limit
 */
public record UnitGrant(int granted, Map<LimitKind, Long> charged) {

    /** Nothing: the pool is blocked, or nothing was asked for. */
    public static final UnitGrant NOTHING = new UnitGrant(0, Map.of());

    public UnitGrant {
        charged = Map.copyOf(charged);
    }

    /**
     * The answer to a worker that asks. Nobody passes the first request of a worker whose turn comes before: its units are kept
     * free, so large requests do not starve. Of what fits then the asker gets its part among the workers that want any.
     *
     * @param limits the room of each limit of the pool, none twice
     */
    public static UnitGrant of(List<LimitRoom> limits, UnitAsk asker, List<UnitWish> others) {
        if (asker.requests().isEmpty()) {
            return NOTHING;
        }
        List<UnitWish> rivals = others.stream().filter(UnitWish::counts).toList();
        List<LimitRoom> left = limits;
        for (UnitWish rival : rivals) {
            if (rival.turn().compareTo(asker.turn()) < 0) {
                left = without(left, rival.head());
            }
        }
        int fitting = fitting(left, asker.requests());
        long sharing = rivals.stream()
                .filter(rival -> rival.turn().isUrgent() || !asker.turn().isUrgent())
                .count();
        int granted = Math.toIntExact(Math.ceilDiv(fitting, sharing + 1));
        return new UnitGrant(granted, charges(limits, asker.requests().subList(0, granted)));
    }

    /** How many of {@code requests} fit, one after the other. None passes one that does not. */
    private static int fitting(List<LimitRoom> limits, List<Units> requests) {
        List<LimitRoom> left = limits;
        int fitting = 0;
        for (Units request : requests) {
            if (!left.stream().allMatch(room -> room.fits(room.charge(request)))) {
                break;
            }
            left = without(left, request);
            fitting++;
        }
        return fitting;
    }

    private static List<LimitRoom> without(List<LimitRoom> limits, Units request) {
        List<LimitRoom> left = new ArrayList<>(limits.size());
        limits.forEach(room -> left.add(room.without(room.charge(request))));
        return left;
    }

    private static Map<LimitKind, Long> charges(List<LimitRoom> limits, List<Units> requests) {
        Map<LimitKind, Long> charges = new EnumMap<>(LimitKind.class);
        limits.forEach(room -> charges.put(
                room.kind(), requests.stream().mapToLong(room::charge).sum()));
        return charges;
    }
}

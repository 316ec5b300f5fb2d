package dev.assay.domain.limit;

/**
 * The room that a limit has now.
 *
 * @param limit units a period, at least 1
 * @param free units that its window has left; negative: more was spent
 * @param level units that its pace allows at once; negative: it is in debt. Of a day it does not matter
 */
public record LimitRoom(LimitKind kind, long limit, long free, long level, long burst) {

    /** What a request is charged. One that is larger than the limit takes it whole: it waits for an empty window. */
    public long charge(Units request) {
        return Math.min(request.of(kind), limit);
    }

    /** Whether {@code charge} may be spent now. Nothing always fits, in a limit that is in debt too. */
    boolean fits(long charge) {
        boolean paced = kind.period() == LimitPeriod.MINUTE;
        return charge == 0 || (free >= charge && (!paced || level >= Math.min(charge, burst)));
    }

    /** What is left beside {@code charge}. */
    LimitRoom without(long charge) {
        return new LimitRoom(kind, limit, free - charge, level - charge, burst);
    }
}

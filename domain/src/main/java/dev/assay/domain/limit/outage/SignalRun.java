package dev.assay.domain.limit.outage;

import java.util.HashSet;
import java.util.Set;

/**
 * Calls of one worker and pool that ended in signals, one after the other.
 *
 * @param length how many, at least 0
 * @param inFlight calls in flight at the first of them, itself included
 * @param cells whose calls they were, at most {@value #FEWEST} of them
 * @param unreachable how many of the last ones in a row found that nothing listens
 */
record SignalRun(int length, int inFlight, Set<String> cells, int unreachable) {

    static final SignalRun NONE = new SignalRun(0, 0, Set.of(), 0);

    /** Fewer ends, or ends of fewer cells, are no outage. */
    static final int FEWEST = 5;

    SignalRun {
        cells = Set.copyOf(cells);
    }

    /** The same with another signal. */
    SignalRun with(String cell, OutageSignal signal, int inFlightNow) {
        Set<String> more = new HashSet<>(cells);
        if (more.size() < FEWEST) {
            more.add(cell);
        }
        return new SignalRun(
                length + 1,
                length == 0 ? inFlightNow : inFlight,
                more,
                signal == OutageSignal.UNREACHABLE ? unreachable + 1 : 0);
    }

    /** Whether it is long enough for an outage. Where nothing listens, one cell is enough to know it. */
    boolean isLong() {
        int needed = Math.max(FEWEST, Math.ceilDiv(inFlight, 2));
        return length >= needed && (cells.size() >= FEWEST || unreachable >= needed);
    }
}

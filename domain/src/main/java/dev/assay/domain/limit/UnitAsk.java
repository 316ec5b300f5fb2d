package dev.assay.domain.limit;

import java.util.List;

/**
 * The request of a worker for units of a pool.
 *
 * @param requests what it would send next, in their turns, at most {@value #MOST}
 */
public record UnitAsk(WorkerTurn turn, List<Units> requests) {

    /** Requests of one ask. */
    public static final int MOST = 256;

    public UnitAsk {
        requests = List.copyOf(requests);
        if (requests.size() > MOST) {
            throw new IllegalArgumentException(
                    "A worker asks for at most " + MOST + " requests, not " + requests.size());
        }
    }
}

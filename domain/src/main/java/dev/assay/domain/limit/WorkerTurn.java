package dev.assay.domain.limit;

import java.time.Duration;
import java.util.Comparator;

/**
 * The turn of a worker among those that want units of a pool: cells of evaluations first, then the longest wait. The order of turns
 * is the order in which workers are served.
 *
 * @param isUrgent whether its first request is of an evaluation
 * @param waited since units were last granted to it, at least 0
 */
public record WorkerTurn(String workerId, boolean isUrgent, Duration waited) implements Comparable<WorkerTurn> {

    private static final Comparator<WorkerTurn> ORDER = Comparator.comparing(WorkerTurn::isUrgent)
            .thenComparing(WorkerTurn::waited)
            .reversed()
            .thenComparing(WorkerTurn::workerId);

    @Override
    public int compareTo(WorkerTurn other) {
        return ORDER.compare(this, other);
    }
}

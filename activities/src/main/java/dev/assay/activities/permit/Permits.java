package dev.assay.activities.permit;

import dev.assay.domain.permit.CellTurn;
import java.time.Duration;
import java.util.Optional;

/** Bounds the calls in flight: a pool for each campaign and one for each provider, shared by all workers. */
public interface Permits {

    /**
     * Waits for a place in the pools of the campaign and of the provider, in the order of {@link CellTurn}s. A worker with n
     * permits of a pool has n places in it and a quarter more. While one cell writes its request or its outcome, another may be on
     * the wire. As many again are there for urgent cells, which do not wait for the places of others. So a crash costs at most the
     * cells that hold a place.
     *
     * @param isUrgent whether a person waits for the campaign: it is an evaluation
     * @param position of the cell's trial in the order of the campaign
     * @throws InterruptedException when the cell is stopped meanwhile; it then holds nothing
     */
    Place enter(String campaignId, String provider, boolean isUrgent, int position) throws InterruptedException;

    /**
     * Waits for a permit of a provider's pool alone, for a request of a program. The program itself holds a permit of its campaign
     * while it runs; requests that needed another one would wait for themselves.
     *
     * @param isUrgent whether a person waits for the campaign
     * @param position of the cell's trial in the order of the campaign
     * @return empty when there was none in time
     * @throws InterruptedException when the attempt ends meanwhile; it then holds nothing
     */
    Optional<Permit> acquire(String provider, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException;

    /** The right of a cell to write requests into the ledger, from its first request until its outcome is stored. */
    interface Place extends AutoCloseable {

        /**
         * Waits for a permit, in the order of {@link CellTurn}s.
         *
         * @throws InterruptedException when the cell is stopped meanwhile; it then holds no permit
         */
        Permit acquire() throws InterruptedException;

        @Override
        void close();
    }

    /** The right to have one call in flight. */
    interface Permit extends AutoCloseable {
        @Override
        void close();
    }
}

package dev.assay.activities.cell;

/** Bounds the calls in flight: a pool for each campaign and one for each provider. */
public interface Permits {

    /**
     * Waits for a place in the pools of the campaign and of the provider, in the order of arrival. A pool of n permits has n
     * places and a quarter more, at least one: while a cell writes its request or its outcome, another may be on the wire.
     * So a crash costs at most the cells that hold a place.
     *
     * @throws InterruptedException when the cell is stopped meanwhile; it then holds nothing
     */
    Place enter(String campaignId, String provider) throws InterruptedException;

    /** Sets how many permits of a campaign there are, at least 1. Permits in use are never taken back. */
    void limitCampaign(String campaignId, int permits);

    /** Sets how many permits of a provider there are, at least 1. */
    void limitProvider(String provider, int permits);

    /** The right of a cell to write requests into the ledger, from its first request until its outcome is stored. */
    interface Place extends AutoCloseable {

        /**
         * Waits for a permit, in the order of arrival.
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

package dev.assay.activities.cell;

/** Bounds the calls in flight: a pool for each campaign and one for each provider. */
public interface Permits {

    /**
     * Waits for a permit of the campaign and of the provider, in the order of arrival.
     *
     * @throws InterruptedException when the cell is stopped meanwhile; it then holds nothing
     */
    Permit acquire(String campaignId, String provider) throws InterruptedException;

    /** Sets how many permits of a campaign there are, at least 1. Permits in use are never taken back. */
    void limitCampaign(String campaignId, int permits);

    /** Sets how many permits of a provider there are, at least 1. */
    void limitProvider(String provider, int permits);

    /** The right to have calls in flight, one at a time. */
    interface Permit extends AutoCloseable {
        @Override
        void close();
    }
}

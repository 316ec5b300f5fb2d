package dev.assay.activities.cell;

import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;

/** Permits of a single worker: semaphores that can grow and shrink. */
@Singleton
public class LocalPermits implements Permits {

    private static final int PLACES_SHARE = 4;

    private final ConcurrentMap<String, Pool> campaigns = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Pool> providers = new ConcurrentHashMap<>();

    /** Permits, and the places of the cells that use them. */
    private static final class Pool {
        private final ResizableSemaphore places = new ResizableSemaphore();
        private final ResizableSemaphore permits = new ResizableSemaphore();

        synchronized void resize(int size) {
            if (size < 1) {
                throw new IllegalArgumentException("A pool has at least one permit");
            }
            places.resize(size + Math.ceilDiv(size, PLACES_SHARE));
            permits.resize(size);
        }
    }

    /** A fair semaphore whose size can change; while it shrinks, {@code availablePermits} is negative. */
    private static final class ResizableSemaphore extends Semaphore {
        private static final long serialVersionUID = 1L;

        private int size;

        ResizableSemaphore() {
            super(0, true);
        }

        void resize(int newSize) {
            if (newSize > size) {
                release(newSize - size);
            } else if (newSize < size) {
                reducePermits(size - newSize);
            }
            size = newSize;
        }
    }

    @Override
    public Place enter(String campaignId, String provider) throws InterruptedException {
        Pool campaign = campaigns.computeIfAbsent(campaignId, id -> new Pool());
        Pool shared = providers.computeIfAbsent(provider, name -> new Pool());
        acquireBoth(campaign.places, shared.places);
        return new Place() {
            @Override
            public Permit acquire() throws InterruptedException {
                acquireBoth(campaign.permits, shared.permits);
                return () -> releaseBoth(campaign.permits, shared.permits);
            }

            @Override
            public void close() {
                releaseBoth(campaign.places, shared.places);
            }
        };
    }

    private static void acquireBoth(Semaphore campaign, Semaphore provider) throws InterruptedException {
        campaign.acquire();
        try {
            provider.acquire();
        } catch (InterruptedException e) {
            campaign.release();
            throw e;
        }
    }

    private static void releaseBoth(Semaphore campaign, Semaphore provider) {
        provider.release();
        campaign.release();
    }

    @Override
    public void limitCampaign(String campaignId, int permits) {
        campaigns.computeIfAbsent(campaignId, id -> new Pool()).resize(permits);
    }

    @Override
    public void limitProvider(String provider, int permits) {
        providers.computeIfAbsent(provider, name -> new Pool()).resize(permits);
    }
}

package dev.assay.activities.cell;

import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;

/** Permits of a single worker: semaphores that can grow and shrink. */
@Singleton
public class LocalPermits implements Permits {

    private final ConcurrentMap<String, Pool> campaigns = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Pool> providers = new ConcurrentHashMap<>();

    /** A fair semaphore whose size can change; while it shrinks, {@code availablePermits} is negative. */
    private static final class Pool extends Semaphore {
        private static final long serialVersionUID = 1L;

        private int size;

        Pool() {
            super(0, true);
        }

        synchronized void resize(int newSize) {
            if (newSize < 1) {
                throw new IllegalArgumentException("A pool has at least one permit");
            }
            if (newSize > size) {
                release(newSize - size);
            } else if (newSize < size) {
                reducePermits(size - newSize);
            }
            size = newSize;
        }
    }

    @Override
    public Permit acquire(String campaignId, String provider) throws InterruptedException {
        Pool campaign = campaigns.computeIfAbsent(campaignId, id -> new Pool());
        Pool shared = providers.computeIfAbsent(provider, name -> new Pool());
        campaign.acquire();
        try {
            shared.acquire();
        } catch (InterruptedException e) {
            campaign.release();
            throw e;
        }
        return () -> {
            shared.release();
            campaign.release();
        };
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

package dev.assay.activities.call;

import dev.assay.domain.plan.Placement;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;

/**
 * The gate that lets a suspected cell run while no other cell of this worker runs (see {@link Placement}). Cells enter in the order
 * of their arrival. Earlier cells end first; later ones wait.
 */
@Singleton
public class Isolation {

    /** More cells than a worker ever runs at once. */
    private static final int ALL = 1_000_000;

    private final Semaphore room = new Semaphore(ALL, true);

    /** The right to run; to be closed when the cell is over. */
    public interface Stay extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Waits until a cell may run.
     *
     * @param lostRuns how many workers died with it; one that may run nowhere does not ask
     * @throws InterruptedException when the cell is stopped meanwhile
     */
    public Stay enter(int lostRuns) throws InterruptedException {
        int taken = Placement.after(lostRuns) == Placement.BESIDE_OTHERS ? 1 : ALL;
        room.acquire(taken);
        return () -> room.release(taken);
    }
}

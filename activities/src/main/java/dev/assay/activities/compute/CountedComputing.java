package dev.assay.activities.compute;

import dev.assay.domain.text.Excerpt;
import dev.assay.store.health.ComputeKillRepository;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.NamedDefinition;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.pool.ComputePool;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compute processes of a worker. What is killed there is counted for the health of its campaign. */
@Singleton
@Primary
class CountedComputing implements Computing {

    private static final Logger LOG = LoggerFactory.getLogger(CountedComputing.class);
    private static final int SHOWN = 100;

    private final ComputePool pool;
    private final ComputeKillRepository kills;

    CountedComputing(ComputePool pool, ComputeKillRepository kills) {
        this.pool = pool;
        this.kills = kills;
    }

    @Override
    public <R> List<Computed<R>> run(String queue, Task<R> task) throws InterruptedException {
        return counted(queue, task, pool.run(queue, task));
    }

    @Override
    public <R> List<Computed<R>> runToEnd(String queue, Task<R> task) {
        return counted(queue, task, pool.runToEnd(queue, task));
    }

    private <R> List<Computed<R>> counted(String queue, Task<R> task, List<Computed<R>> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof Computed.Stopped<R>(var stop) && stop.isStrike()) {
                count(queue, task.kind().noun(), task.definitions().get(i));
            }
        }
        return all;
    }

    private void count(String queue, String kind, NamedDefinition definition) {
        try {
            kills.count(queue, definition.hash(), kind + " " + Excerpt.of(definition.text(), SHOWN));
        } catch (RuntimeException e) {
            // The verdict must not depend on it.
            LOG.warn("A killed computation could not be counted", e);
        }
    }

    @Override
    public boolean isDown() {
        return pool.isDown();
    }
}

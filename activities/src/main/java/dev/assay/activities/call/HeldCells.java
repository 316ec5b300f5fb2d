package dev.assay.activities.call;

import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.outage.Outages;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.outage.OutagePauses;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of cells whose provider is down. Their activity goes on meanwhile, so that an outage of hours costs Temporal little. It
 * holds neither the cells nor a permit of their campaign.
 */
@Singleton
class HeldCells {

    private static final Logger LOG = LoggerFactory.getLogger(HeldCells.class);

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration BEAT = Duration.ofSeconds(5);

    /** After this time the activity ends, and another one goes on waiting, maybe in another worker. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Outages outages;
    private final OutagePauses pauses;
    private final RunningCells running;
    private final Halt halt;

    HeldCells(Outages outages, OutagePauses pauses, RunningCells running, Halt halt) {
        this.outages = outages;
        this.pauses = pauses;
        this.running = running;
        this.halt = halt;
    }

    /**
     * Waits until the providers are back, and runs the cells that waited for them.
     *
     * @param again runs some of them once more
     * @return the result of all, in which no cell is held: what still is, is open
     */
    CellBatch.Result untilBack(
            StoredCampaign campaign,
            RunKey run,
            CellBatch.Result first,
            Function<Collection<CellKey>, CellBatch.Result> again,
            CellBatch.Heartbeat heartbeat) {
        CellBatch.Result result = first;
        long begin = System.nanoTime();
        long beat = begin;
        while (!result.held().isEmpty() && System.nanoTime() - begin < PATIENCE.toNanos() && !running.isDraining()) {
            Map<CellKey, ModelPool> ready = ready(campaign, result.held());
            if (!ready.isEmpty()) {
                result = result.without(ready.keySet()).and(again.apply(ready.keySet()));
                ready.forEach((cell, pool) -> outages.probeOver(pool, cell));
                Set<CellKey> still = result.held().keySet();
                if (ready.entrySet().stream()
                        .anyMatch(tried -> still.contains(tried.getKey()) && outages.isForOthers(tried.getValue()))) {
                    // It probed in vain. All cells may have come to this worker, and another one gets answers.
                    break;
                }
            } else if (result.held().values().stream().allMatch(outages::isCutOff)) {
                // Others get answers: they take the cells.
                break;
            } else if (System.nanoTime() - beat > BEAT.toNanos()) {
                beat = System.nanoTime();
                heartbeat.beat(0);
                if (isPaused(campaign, result.held().values())
                        || !halt.mayWait(run, result.held().keySet())) {
                    break;
                }
            } else if (!slept()) {
                break;
            }
        }
        return result.released();
    }

    /** The cells that may be run now: all of a pool that is back, or one that probes. */
    private Map<CellKey, ModelPool> ready(StoredCampaign campaign, Map<CellKey, ModelPool> held) {
        Map<ModelPool, List<CellKey>> byPool = new HashMap<>();
        held.forEach((cell, pool) ->
                byPool.computeIfAbsent(pool, _ -> new ArrayList<>()).add(cell));
        Map<CellKey, ModelPool> ready = new HashMap<>();
        byPool.forEach((pool, cells) -> {
            if (AttemptGate.isOpen(campaign, pool, outages)) {
                cells.forEach(cell -> ready.put(cell, pool));
                return;
            }
            CellKey probe = probe(pool, cells);
            if (probe != null) {
                ready.put(probe, pool);
            }
        });
        return ready;
    }

    private @Nullable CellKey probe(ModelPool pool, List<CellKey> cells) {
        try {
            return outages.probe(pool, cells);
        } catch (RuntimeException e) {
            LOG.debug("Nothing probes {} now", pool, e);
            return null;
        }
    }

    /** Pauses the campaign when one of the outages has lasted for too long and nothing else of it goes on. */
    private boolean isPaused(StoredCampaign campaign, Collection<ModelPool> pools) {
        return OutagePatience.isPausable(campaign)
                && Set.copyOf(pools).stream()
                        .flatMap(pool -> Stream.ofNullable(outages.outage(pool)))
                        .anyMatch(outage -> pauses.pause(campaign.id(), outage, OutagePatience.longest(campaign)));
    }

    private static boolean slept() {
        try {
            Thread.sleep(LOOK);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

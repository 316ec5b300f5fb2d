package dev.assay.store.health;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.provider.KeyState;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The counts of campaigns that go on or are paused, of their cells and of workers.
 *
 * @param campaigns how many are in each state
 * @param cells how many of their cells are in each state
 * @param oldestOpen the longest time since a campaign that goes on was started, resumed or planned anew; zero when none goes on
 * @param longestIdle the longest time for which a campaign that goes on has recorded nothing; zero when none goes on
 * @param workers workers whose lease has not lapsed
 * @param providers those that workers asked of late, or that are down
 * @param limits the pools that have limits
 * @param throttles the pools that have refused something
 * @param batches batches of providers in which cells are out
 * @param keys the keys of all providers, by provider
 */
public record Census(
        Map<CampaignState, Long> campaigns,
        Map<CellState, Long> cells,
        Duration oldestOpen,
        Duration longestIdle,
        long workers,
        List<ProviderState> providers,
        List<LimitState> limits,
        List<ThrottleState> throttles,
        List<BatchCount> batches,
        Map<String, List<KeyState>> keys) {

    public Census {
        campaigns = Map.copyOf(campaigns);
        cells = Map.copyOf(cells);
        providers = List.copyOf(providers);
        limits = List.copyOf(limits);
        throttles = List.copyOf(throttles);
        batches = List.copyOf(batches);
        keys = Map.copyOf(keys);
    }

    /** How many batches of a provider are in one state. */
    public record BatchCount(String provider, BatchState state, long count) {}

    /**
     * Whether a provider answers.
     *
     * @param provider its name; {@code http} for all systems under test
     * @param isDown whether it does not answer for one of its models, or refuses the keys of all workers
     */
    public record ProviderState(String provider, String account, boolean isDown) {}

    /** The state of a cell. Cells that no worker holds yet and cells that are done are counted without judge calls. */
    public enum CellState {
        /** Has a final outcome. */
        DONE,
        /** Has a permit. */
        CALLING,
        /** A worker holds it, and it waits for a permit. */
        PERMIT,
        /** A worker holds it, and it waits for units of a limit. */
        LIMIT,
        /** Waits until calls in flight have freed some of the budget. */
        BUDGET,
        /** Failed, and waits for its next attempt. */
        RETRY,
        /** Open, and none of these. */
        QUEUED,
        /** Open, in a campaign that is paused. */
        PAUSED
    }
}

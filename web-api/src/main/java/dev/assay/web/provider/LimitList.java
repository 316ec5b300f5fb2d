package dev.assay.web.provider;

import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.limit.CallQueries.GroupCalls;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a provider.
 *
 * @param items its pools that have limits, that refused something, or whose calls a person bounded
 * @param nextPageToken null: there are no more
 */
public record LimitList(List<PoolView> items, @Nullable String nextPageToken) {

    public LimitList {
        items = List.copyOf(items);
    }

    /**
     * The calls that share limits.
     *
     * @param account what the provider counts for
     * @param models the pattern of an entry of the settings; the model where none matches
     * @param keys names of the keys of the account
     * @param blockedUntil nothing is sent with the account before, as the provider refused; null: it is not blocked
     * @param limits those in force
     * @param concurrent how many calls it may have in flight, with all accounts together
     * @param waiting cells of all workers that wait for units of the account, or for a permit of the group
     * @param waitingSince since when the worker that waits longest for units got none; null: none waits for units
     * @param refusals those of the last ten minutes
     */
    public record PoolView(
            @Schema(example = "default") String account,
            @Schema(example = "gpt-6.1*") String models,
            List<String> keys,
            @Nullable Instant blockedUntil,
            List<LimitView> limits,
            CallsView concurrent,
            long waiting,
            @Nullable Instant waitingSince,
            RefusalsView refusals) {

        public PoolView {
            keys = List.copyOf(keys);
            limits = List.copyOf(limits);
        }
    }

    /**
     * The calls that a group may have in flight.
     *
     * @param min the fewest, as the settings or a person say
     * @param max the most, as the settings or a person say
     * @param now how many it may have now
     * @param inFlight how many it has, at most a second ago
     * @param phase SLOW_START: the number doubles; STEADY: it grows by a twentieth
     * @param manual whether a person set min and max
     */
    public record CallsView(
            int min,
            int max,
            int now,
            long inFlight,
            @Schema(example = "STEADY") String phase,
            boolean manual) {

        /** @param throttle what refusals have made of the group; null: there were none */
        static CallsView of(ModelPool pool, @Nullable ThrottleState throttle, GroupCalls calls) {
            ConcurrencyRange range = calls.range(pool);
            AdaptiveConcurrency found = throttle == null
                    ? AdaptiveConcurrency.begun(range.min(), range.start(), range.max())
                    : throttle.concurrency();
            return new CallsView(
                    found.min(),
                    found.max(),
                    found.now(),
                    calls.of(pool).inFlight(),
                    found.phase().name(),
                    calls.isManual(pool));
        }
    }

    /**
     * Refusals of a group.
     *
     * @param rate those that named a limit
     * @param concurrency those that named none: too many calls were in flight
     */
    public record RefusalsView(long rate, long concurrency) {

        static RefusalsView of(@Nullable ThrottleState throttle) {
            return throttle == null
                    ? new RefusalsView(0, 0)
                    : new RefusalsView(throttle.rateRefusals(), throttle.concurrencyRefusals());
        }
    }

    /**
     * A limit.
     *
     * @param name as it is called in the settings
     * @param limit units a period
     * @param why where it comes from: configured, manual or header
     * @param configured what the settings say, the least of live workers; null: nothing
     * @param manual what a person set, until it is taken back; null: nobody did
     * @param header what answers of the provider say; null: nothing
     * @param used units that count now: of the last 62 s, or of the day
     * @param free units that are left; negative: more was used
     */
    public record LimitView(
            @Schema(example = "tokensPerMinute") String name,
            long limit,
            @Schema(example = "configured") String why,
            @Nullable Long configured,
            @Nullable Long manual,
            @Nullable Long header,
            long used,
            long free) {

        static List<LimitView> of(LimitState state) {
            return state.limits().stream()
                    .map(room -> of(room, state.known(room.kind())))
                    .toList();
        }

        private static LimitView of(LimitRoom room, KnownLimit known) {
            return new LimitView(
                    room.kind().word(),
                    room.limit(),
                    known.inForce().why().word(),
                    known.configured(),
                    known.manual(),
                    known.header(),
                    room.limit() - room.free(),
                    room.free());
        }
    }
}

package dev.assay.web.provider;

import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a provider.
 *
 * @param items its pools that have limits
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
     * @param blockedUntil nothing is sent with the account before, as the provider refused; null: it is not blocked
     * @param limits those in force
     * @param concurrent how many calls it may have in flight, with all accounts together; null: it has refused nothing, and has as many as
     *     the settings say
     * @param waiting calls of all workers that wait for units
     * @param waitingSince since when the worker that waits longest got none; null: none waits
     * @param refusals those of the last ten minutes
     */
    public record PoolView(
            @Schema(example = "default") String account,
            @Schema(example = "gpt-6.1*") String models,
            @Nullable Instant blockedUntil,
            List<LimitView> limits,
            @Nullable CallsView concurrent,
            long waiting,
            @Nullable Instant waitingSince,
            RefusalsView refusals) {

        public PoolView {
            limits = List.copyOf(limits);
        }

        /**
         * @param throttle what refusals have made of it; null: there were none
         * @param group the same of its group, which has the number of calls; null: there were none
         */
        static PoolView of(LimitState state, @Nullable ThrottleState throttle, @Nullable ThrottleState group) {
            return new PoolView(
                    state.pool().account(),
                    state.pool().models(),
                    throttle == null ? null : throttle.blockedUntil(),
                    state.limits().stream()
                            .map(room -> LimitView.of(room, state.known(room.kind())))
                            .toList(),
                    group == null ? null : CallsView.of(group),
                    state.waiting(),
                    state.waitingSince(),
                    throttle == null ? RefusalsView.NONE : RefusalsView.of(throttle));
        }

        /** A pool that has refused something, and has no limits. */
        static PoolView of(ThrottleState throttle, ThrottleState group) {
            return new PoolView(
                    throttle.pool().account(),
                    throttle.pool().models(),
                    throttle.blockedUntil(),
                    List.of(),
                    CallsView.of(group),
                    0,
                    null,
                    RefusalsView.of(throttle));
        }
    }

    /**
     * The calls that a group may have in flight.
     *
     * @param min the fewest, as the settings say
     * @param max the most, as the settings say
     * @param now how many it may have now
     * @param inFlight how many it has, as far as their number is shared among workers
     * @param phase SLOW_START: the number doubles; STEADY: it grows by a twentieth
     * @param manual whether a person set it; never yet
     */
    public record CallsView(
            int min,
            int max,
            int now,
            long inFlight,
            @Schema(example = "STEADY") String phase,
            boolean manual) {

        private static CallsView of(ThrottleState throttle) {
            AdaptiveConcurrency calls = throttle.concurrency();
            return new CallsView(
                    calls.min(),
                    calls.max(),
                    calls.now(),
                    throttle.inFlight(),
                    calls.phase().name(),
                    false);
        }
    }

    /**
     * Refusals of a group.
     *
     * @param rate those that named a limit
     * @param concurrency those that named none: too many calls were in flight
     */
    public record RefusalsView(long rate, long concurrency) {

        private static final RefusalsView NONE = new RefusalsView(0, 0);

        private static RefusalsView of(ThrottleState throttle) {
            return new RefusalsView(throttle.rateRefusals(), throttle.concurrencyRefusals());
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

        static LimitView of(LimitRoom room, KnownLimit known) {
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

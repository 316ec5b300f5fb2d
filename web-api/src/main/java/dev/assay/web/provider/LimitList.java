package dev.assay.web.provider;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.store.limit.LimitState;
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
     * @param models the pattern of an entry of the settings
     * @param limits those in force
     * @param waiting calls of all workers that wait for units
     * @param waitingSince since when the worker that waits longest got none; null: none waits
     */
    public record PoolView(
            @Schema(example = "default") String account,
            @Schema(example = "gpt-6.1*") String models,
            List<LimitView> limits,
            long waiting,
            @Nullable Instant waitingSince) {

        public PoolView {
            limits = List.copyOf(limits);
        }

        static PoolView of(LimitState state) {
            return new PoolView(
                    state.pool().account(),
                    state.pool().models(),
                    state.limits().stream()
                            .map(room -> LimitView.of(room, state.known(room.kind())))
                            .toList(),
                    state.waiting(),
                    state.waitingSince());
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

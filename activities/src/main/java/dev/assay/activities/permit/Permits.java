package dev.assay.activities.permit;

import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.CellTurn;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bounds the calls in flight: a pool for each campaign and one for each provider, shared by all workers. */
public interface Permits {

    /**
     * Waits for a place in the pools of the campaign and of the provider, in the order of {@link CellTurn}s. A worker with n
     * permits of a pool has n places in it and a quarter more. While one cell writes its request or its outcome, another may be on
     * the wire. As many again are there for urgent cells, which do not wait for the places of others. So a crash costs at most the
     * cells that hold a place. Where the call spends units nobody waits here: the place comes with the first permit.
     *
     * @param isUrgent whether a person waits for the campaign: it is an evaluation
     * @param position of the cell's trial in the order of the campaign
     * @throws InterruptedException when the cell is stopped meanwhile; it then holds nothing
     */
    Place enter(String campaignId, CallRoute route, boolean isUrgent, int position) throws InterruptedException;

    /** The same for a provider without limits. */
    default Place enter(String campaignId, String provider, boolean isUrgent, int position)
            throws InterruptedException {
        return enter(campaignId, CallRoute.to(provider), isUrgent, position);
    }

    /**
     * Waits for a permit of a provider's pool alone, for a request of a program. The program itself holds a permit of its campaign
     * while it runs; requests that needed another one would wait for themselves.
     *
     * @param spent units of the pool of {@code route}
     * @param isUrgent whether a person waits for the campaign
     * @param position of the cell's trial in the order of the campaign
     * @return empty when there was none in time
     * @throws InterruptedException when the attempt ends meanwhile; it then holds nothing
     */
    Optional<Permit> acquire(CallRoute route, Units spent, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException;

    /** The same for a provider without limits. */
    default Optional<Permit> acquire(String provider, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException {
        return acquire(CallRoute.to(provider), Units.NONE, isUrgent, position, atMost);
    }

    /** The right of a cell to write requests into the ledger, from its first request until its outcome is stored. */
    interface Place extends AutoCloseable {

        /**
         * Waits for a permit and units, in the order of {@link CellTurn}s. It has both at once, or waits with none.
         *
         * @param spent units of the pool of its route, if that has limits
         * @throws InterruptedException when the cell is stopped meanwhile; it then holds no permit
         */
        default Permit acquire(Units spent) throws InterruptedException {
            return acquire(spent, Set.of());
        }

        /**
         * The same for a request that some keys may not be used for, where there are others.
         *
         * @param without the names of these keys
         */
        Permit acquire(Units spent, Set<String> without) throws InterruptedException;

        /** Whether its requests spend units, by the settings or as answers have said: these come with the permit. */
        default boolean isLimited() {
            return false;
        }

        /** The same for a request that spends nothing. */
        default Permit acquire() throws InterruptedException {
            return acquire(Units.NONE);
        }

        @Override
        void close();
    }

    /** The right to have one call in flight. */
    interface Permit extends AutoCloseable {

        /** The units with which it came. They stay spent when it is closed. Null: it needs none. */
        @Nullable
        TakenUnits units();

        /** Whether the call may begin now. Old units may count no more when it arrives. */
        default boolean isFresh() {
            TakenUnits taken = units();
            return taken == null || taken.areFresh();
        }

        /** The request is sent once more in another form, and charged again. What is answered says nothing of how many could go. */
        default void repeats() {}

        /** The accounts that refuse calls for now: it bears no key of them. */
        default Set<String> blockedAccounts() {
            return Set.of();
        }

        /** The call bears a key of this account: what its answer teaches is of that. */
        default void bears(String account) {}

        /** The answer has these headers. They may say limits. */
        default void heard(AnswerHeaders headers) {}

        /** The call was answered with a success. */
        default void answered() {}

        /** The call was not answered; its pool is blocked where that says so. */
        default void refused(Refusal refusal) {}

        /** The call has found that the provider, which was away, answers again. */
        default void isBack() {}

        /** Gives the permit back and returns the units: nothing was sent. */
        default void closeUnsent() {
            TakenUnits taken = units();
            if (taken != null) {
                taken.giveBack();
            }
            close();
        }

        @Override
        void close();
    }
}

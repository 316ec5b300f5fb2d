package dev.assay.activities.call;

import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.outage.KeyChoice;
import dev.assay.activities.outage.KeyWish;
import dev.assay.activities.outage.Outages;
import dev.assay.activities.outage.PoolCall;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.campaign.StoredCampaign;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gate that each request of an attempt passes: whether it may be sent now. It is shut while the provider is down. The cell then
 * waits elsewhere ({@link HeldCells}), without its claim and without a permit.
 */
final class AttemptGate {

    private final CellAttempt attempt;
    private final PaidCall call;
    private final ModelPool pool;
    private final Outages outages;
    private @Nullable KeyChoice lastKey;

    /** @param call that the attempt makes */
    AttemptGate(CellAttempt attempt, PaidCall call, Outages outages) {
        this.attempt = attempt;
        this.call = call;
        this.pool = ModelPool.of(call.agent());
        this.outages = outages;
        attempt.cell().asks(pool);
    }

    /** Whether all calls of a campaign to {@code pool} may be sent now, not only one that probes. */
    static boolean isOpen(StoredCampaign campaign, ModelPool pool, Outages outages) {
        return !outages.isHeld(pool) || (!waits(campaign, pool, outages) && !outages.isDrained(pool));
    }

    private static boolean waits(StoredCampaign campaign, ModelPool pool, Outages outages) {
        return OutagePatience.waits(campaign, outages.age(pool));
    }

    /** Whether the cell has to wait. */
    boolean isShut() {
        return !outages.mayCall(pool, attempt.cell().key())
                && (waits(attempt.campaign(), pool, outages) || outages.isDrained(pool));
    }

    /** The result of a cell that waits. */
    CellResult held() {
        return new CellResult.Held(pool);
    }

    /**
     * Lets a request pass.
     *
     * @throws InterruptedException when it may not be sent now; the cell is stopped then, and waits
     */
    void pass() throws InterruptedException {
        if (isShut()) {
            attempt.cell().stop(StopReason.PROVIDER_DOWN);
            throw new InterruptedException("The provider is down");
        }
    }

    /**
     * The same after a long wait, in which the cell may have come to be needed no more.
     *
     * @throws InterruptedException when it may not be sent; the cell is stopped then
     */
    void passIfNeeded() throws InterruptedException {
        if (!attempt.cell().hasBegun() && !call.isNeeded()) {
            attempt.cell().stop(StopReason.NOT_NEEDED);
            throw new InterruptedException("The cell is not needed any more");
        }
        pass();
    }

    /** The keys that it does not take where there are others: those that refused the cell. */
    Set<String> unwanted() {
        return outages.unwanted(pool, attempt.cell().key(), attempt.cell().refusedKeys());
    }

    /**
     * The key of a request that has passed.
     *
     * @return null: the account of its units has none that can be used now, or all accounts refuse calls
     */
    @Nullable
    KeyChoice key(Permits.Permit permit) {
        return outages.choose(pool, attempt.cell().key(), KeyWish.of(permit, unwanted()));
    }

    /** A request for which a key was chosen is not sent. */
    void unsent(KeyChoice key) {
        outages.unsent(key);
    }

    /** Whether the request that has passed probes whether the provider is back. */
    boolean isProbe() {
        return pool.canBeAway() && outages.isProbedBy(pool, attempt.cell().key());
    }

    /** Whether a failure is no attempt: its provider, which is no script, takes the request later. */
    boolean isForLater(CallFailedException failure) {
        return failure.sign().isForLater() && pool.canBeAway();
    }

    /** A request that has passed is sent now. */
    PoolCall begins(KeyChoice key) {
        lastKey = key;
        return outages.begins(pool, attempt.cell().key(), key);
    }

    /** Whether {@code failure} is about the key alone, and another one did not refuse the cell yet. */
    boolean isForAnotherKey(CallFailedException failure) {
        KeyChoice key = lastKey;
        String name = key == null ? null : key.name();
        if (failure.sign().refusedKey() == null || name == null) {
            return false;
        }
        attempt.cell().refusedBy(name);
        return outages.hasOtherKey(pool, attempt.cell().refusedKeys());
    }

    /** Whether it has to be decided whether {@code failure} was an attempt: its provider may be away, or its key be refused. */
    boolean isUndecided(CallFailedException failure) {
        return failure.sign().isUndecided() && pool.canBeAway() && waits(attempt.campaign(), pool, outages);
    }

    /**
     * Waits until that is decided.
     *
     * @param atMost after this time it was one
     * @return whether it was none
     */
    boolean isExcused(CallFailedException failure, Duration atMost) throws InterruptedException {
        KeyChoice key = Objects.requireNonNull(lastKey, "No request was sent");
        return outages.isExcused(pool, attempt.cell().key(), key, failure.sign(), atMost);
    }
}

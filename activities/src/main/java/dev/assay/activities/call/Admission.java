package dev.assay.activities.call;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.outage.KeyChoice;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.RunJournal;
import org.jspecify.annotations.Nullable;

/**
 * The admission of the requests of an attempt. Each needs an open gate, a row of the ledger, a permit, and units where limits are kept.
 * Without limits the row comes first, so that a permit is held for the time on the wire only.
 */
final class Admission {

    /** The pause, in milliseconds, before a request looks again for a key that it may take. */
    private static final long KEY_WAIT_MS = 50;

    private final LimitedModel limits;
    private final Permits.Place place;
    private final LedgeredClient.Request request;
    private final AttemptGate gate;

    /** @param place that the cell holds until its outcome is stored */
    Admission(LimitedModel limits, Permits.Place place, LedgeredClient.Request request, AttemptGate gate) {
        this.limits = limits;
        this.place = place;
        this.request = request;
        this.gate = gate;
    }

    /** A request that is sent now. */
    record Admitted(Permits.Permit permit, KeyChoice key) {}

    /**
     * Waits until a request may be sent, and writes its row.
     *
     * @throws ModelException BUDGET_EXCEEDED when the budget does not cover it; INTERNAL when no attempt is left
     * @throws InterruptedException when the cell is stopped meanwhile; the request holds nothing then
     */
    Admitted of(LedgerRow row, RequestSize size) throws InterruptedException {
        gate.pass();
        try {
            return place.isLimited() ? withUnits(row, size) : behindItsRow(row, size);
        } finally {
            request.cell().waitForBudget(false);
        }
    }

    /** Units come behind the row only where limits were set after the cell had its place. */
    private Admitted behindItsRow(LedgerRow row, RequestSize size) throws InterruptedException {
        awaitGrant(row);
        try {
            while (true) {
                Permits.Permit permit = place.acquire(limits.estimate(size), gate.unwanted());
                Admitted admitted = null;
                try {
                    gate.pass();
                    admitted = begun(permit);
                } finally {
                    if (admitted == null) {
                        permit.closeUnsent();
                    }
                }
                if (admitted != null) {
                    return admitted;
                }
            }
        } catch (InterruptedException e) {
            row.giveUp();
            throw e;
        }
    }

    /**
     * Permit and units come together and before the row: what waits for units has cost nothing, no attempt either. Where the row was
     * long in coming the units have grown old, and others are taken.
     */
    private Admitted withUnits(LedgerRow row, RequestSize size) throws InterruptedException {
        boolean isWritten = false;
        try {
            while (true) {
                Permits.Permit permit = place.acquire(limits.estimate(size), gate.unwanted());
                Admitted admitted = null;
                try {
                    gate.passIfNeeded();
                    isWritten = isWritten || isGranted(row);
                    admitted = isWritten && permit.isFresh() ? begun(permit) : null;
                } finally {
                    if (admitted == null) {
                        permit.closeUnsent();
                    }
                }
                if (admitted != null) {
                    return admitted;
                }
                if (!isWritten) {
                    // Reservations of others stand in its way. It must not take units again and again for nothing.
                    awaitGrant(row);
                    isWritten = true;
                }
            }
        } catch (InterruptedException e) {
            if (isWritten) {
                row.giveUp();
            }
            throw e;
        }
    }

    /** Begins the call with a key; null: none can be used now with these units. */
    private @Nullable Admitted begun(Permits.Permit permit) throws InterruptedException {
        KeyChoice key = gate.key(permit);
        if (key == null) {
            // Its keys were refused or blocked as it got the permit. It must not ask for another again and again
            // meanwhile.
            Thread.sleep(KEY_WAIT_MS);
            return null;
        }
        try {
            request.cell().callBegins();
        } catch (InterruptedException e) {
            gate.unsent(key);
            throw e;
        }
        return new Admitted(permit, key);
    }

    private void awaitGrant(LedgerRow row) throws InterruptedException {
        if (!isGranted(row)) {
            request.cell().waitForBudget(true);
            row.budgets().await(row.entry().campaignId(), () -> isGranted(row));
        }
    }

    /** Writes the row; false while reservations of others stand in its way. */
    private boolean isGranted(LedgerRow row) throws InterruptedException {
        try {
            return switch (row.write()) {
                case GRANTED -> {
                    request.cell().begun();
                    yield true;
                }
                case WAIT -> false;
                case OVER_BUDGET -> throw row.overBudget();
                case EXHAUSTED -> throw exhausted();
                case STALE, CANCELLED, TAKEN -> throw taken();
            };
        } catch (InterruptedException e) {
            mayHaveBegun();
            throw e;
        }
    }

    /**
     * Counts the attempt before its first request.
     *
     * @throws ModelException when all attempts of the cell have begun
     * @throws InterruptedException when the cell is no longer this worker's
     */
    void begin(RunJournal journal) throws InterruptedException {
        try {
            switch (journal.begin(new Begin(request.key(), request.attempt().definedAttempts()))) {
                case GRANTED -> request.cell().begun();
                case EXHAUSTED -> throw exhausted();
                case STALE, WAIT, OVER_BUDGET, CANCELLED, TAKEN -> throw taken();
            }
        } catch (InterruptedException e) {
            mayHaveBegun();
            throw e;
        }
    }

    /**
     * The thread was interrupted while the attempt's begin was written, which may be done still. Whoever stops the cell must give the
     * attempt back before another worker may have the cell.
     */
    private void mayHaveBegun() {
        request.cell().begun();
    }

    private static ModelException exhausted() {
        return new ModelException(
                ErrorCode.INTERNAL, "All attempts of this cell have begun; nothing more is sent", null, null);
    }

    private static InterruptedException taken() {
        return new InterruptedException("The cell is no longer this worker's, or its campaign's epoch moved on");
    }
}

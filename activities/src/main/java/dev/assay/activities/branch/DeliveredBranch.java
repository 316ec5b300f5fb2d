package dev.assay.activities.branch;

import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.Failure;
import dev.assay.store.journal.JournalEntry;

/** A cell of a branch whose request goes out in a batch of its provider. Its request and its record are those of a live call. */
public final class DeliveredBranch {

    private final BranchCall call;
    private final CellAttempt attempt;
    private final ModelResolver models;

    DeliveredBranch(BranchCall call, CellAttempt attempt, ModelResolver models) {
        this.call = call;
        this.attempt = attempt;
        this.models = models;
    }

    /**
     * The request that a live call would send.
     *
     * @throws dev.assay.activities.model.CallFailedException when it cannot be made
     */
    public ModelRequest request() throws InterruptedException {
        return call.request(model());
    }

    /** Whether a stored answer stands in for the one that it would be asked for; {@link #request} comes first. */
    public boolean isOnRecord() throws InterruptedException {
        return call.isOnRecord();
    }

    /** The model that it asks, with its settings. */
    public ModelChoice choice() {
        return call.agent().modelAsked().orElseThrow();
    }

    /**
     * The client, price and limits of its model.
     *
     * @throws dev.assay.activities.model.ModelException when this process cannot ask its provider
     */
    public ResolvedModel model() {
        return models.of(call.agent(), RunnableKind.Asking.of(attempt, call.agent(), call.vars()));
    }

    /** What closes the cell, by an answer of its model. */
    public JournalEntry answered(ModelReply reply, Delivered delivered) throws InterruptedException {
        return call.answered(model(), reply, delivered);
    }

    /** What closes the cell with a failure of its request. */
    public JournalEntry failed(Failure failure, Delivered delivered) throws InterruptedException {
        return call.failed(model(), failure, delivered);
    }
}

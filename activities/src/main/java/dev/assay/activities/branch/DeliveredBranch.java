package dev.assay.activities.branch;

import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.Failure;
import dev.assay.store.journal.JournalEntry;

/** A cell of a branch. */
final class DeliveredBranch implements DeliveredCell {

    private final BranchCall call;
    private final CellAttempt attempt;
    private final ModelResolver models;

    DeliveredBranch(BranchCall call, CellAttempt attempt, ModelResolver models) {
        this.call = call;
        this.attempt = attempt;
        this.models = models;
    }

    @Override
    public ModelRequest request() throws InterruptedException {
        return call.request(model());
    }

    @Override
    public boolean isOnRecord() throws InterruptedException {
        return call.isOnRecord();
    }

    @Override
    public ModelChoice choice() {
        return call.agent().modelAsked().orElseThrow();
    }

    @Override
    public ResolvedModel model() {
        return models.of(call.agent(), RunnableKind.Asking.of(attempt, call.agent(), call.vars()));
    }

    @Override
    public JournalEntry answered(ModelReply reply, Delivered delivered) throws InterruptedException {
        return call.answered(model(), reply, delivered);
    }

    @Override
    public JournalEntry failed(Failure failure, Delivered delivered) throws InterruptedException {
        return call.failed(model(), failure, delivered);
    }
}

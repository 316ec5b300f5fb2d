package dev.assay.activities.call;

import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.Failure;
import dev.assay.store.journal.JournalEntry;

/** A cell whose request goes out in a batch of its provider. Its request and its record are those of a live call. */
public interface DeliveredCell {

    /** The model that it asks, with its settings. */
    ModelChoice choice();

    /**
     * The client, price and limits of its model.
     *
     * @throws dev.assay.activities.model.ModelException when this process cannot ask its provider
     */
    ResolvedModel model();

    /**
     * The request that a live call would send.
     *
     * @throws dev.assay.activities.model.CallFailedException when it cannot be made
     */
    ModelRequest request() throws InterruptedException;

    /** Whether a stored answer stands in for the one that it would be asked for; {@link #request} comes first. */
    boolean isOnRecord() throws InterruptedException;

    /** What closes the cell, by an answer of its model. */
    JournalEntry answered(ModelReply reply, Delivered delivered) throws InterruptedException;

    /** What closes the cell with a failure of its request. */
    JournalEntry failed(Failure failure, Delivered delivered) throws InterruptedException;
}

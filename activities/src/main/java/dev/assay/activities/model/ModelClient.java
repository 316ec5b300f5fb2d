package dev.assay.activities.model;

/** Asks one model once. Implementations are safe for use by many threads, never retry, and stop when interrupted. */
@FunctionalInterface
public interface ModelClient {

    /**
     * Sends {@code request} and waits for the whole reply.
     *
     * @throws ModelException when the provider refuses, fails, or does not answer in time
     * @throws InterruptedException when the calling thread is interrupted; the request is aborted
     */
    ModelReply ask(ModelRequest request) throws InterruptedException;
}

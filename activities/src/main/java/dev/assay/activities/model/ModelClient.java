package dev.assay.activities.model;

/** A client that asks one model once. Implementations are safe for use by many threads, never retry, and stop when interrupted. */
@FunctionalInterface
public interface ModelClient {

    /**
     * Sends {@code request} and waits for the whole reply.
     *
     * @throws ModelException when the provider refuses, fails, or does not answer in time
     * @throws InterruptedException when the calling thread is interrupted; the request is aborted
     */
    ModelReply ask(ModelRequest request) throws InterruptedException;

    /**
     * The same; {@code listener} receives the answer while it is made. Clients that cannot stream never call it.
     *
     * @throws ModelException like {@link #ask(ModelRequest)}
     * @throws InterruptedException like {@link #ask(ModelRequest)}
     */
    default ModelReply ask(ModelRequest request, AnswerListener listener) throws InterruptedException {
        return ask(request);
    }
}

package dev.assay.domain.trace;

import dev.assay.domain.isolation.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * The remains of a program that answered for a branch.
 *
 * @param stdout its first {@value #MAX_OUTPUT} bytes
 * @param stderr its first {@value #MAX_OUTPUT} bytes
 * @param models its use of models through the model proxy; null: it had none there
 * @param isolation how far it was kept apart; null: an earlier build ran it
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared and never changed
public record ProgramRun(
        byte[] stdout,
        byte[] stderr,
        Evidence evidence,
        @Nullable ModelUse models,
        @Nullable IsolationLevel isolation) {

    /** Bytes that are kept of each stream. */
    public static final int MAX_OUTPUT = 10 * 1024 * 1024;
}

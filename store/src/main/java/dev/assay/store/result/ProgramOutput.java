package dev.assay.store.result;

import io.micronaut.core.annotation.Introspected;
import org.jspecify.annotations.Nullable;

/**
 * The output of a program, as far as it was kept.
 *
 * @param stdout bytes of its standard output
 * @param stderr bytes of its standard error
 * @param modelTurns its requests to models, as JSON Lines; null: it had none through the model proxy
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared and never changed
@Introspected
public record ProgramOutput(
        byte[] stdout, byte[] stderr, @Nullable String modelTurns) {}

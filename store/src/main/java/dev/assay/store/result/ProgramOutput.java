package dev.assay.store.result;

import io.micronaut.core.annotation.Introspected;

/**
 * The output of a program, as far as it was kept.
 *
 * @param stdout bytes of its standard output
 * @param stderr bytes of its standard error
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared and never changed
@Introspected
public record ProgramOutput(byte[] stdout, byte[] stderr) {}

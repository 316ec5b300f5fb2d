package dev.assay.store.result;

/**
 * The output of a program, as far as it was kept.
 *
 * @param stdout bytes of its standard output
 * @param stderr bytes of its standard error
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared and never changed
public record ProgramOutput(byte[] stdout, byte[] stderr) {}

package dev.assay.web.matrix;

/**
 * A matrix, or what changed in it.
 *
 * @param version names this state of the matrix
 * @param trials repetitions of each case
 * @param isChanges whether {@code body} holds changes: of each cell its place (4 bytes, the highest first) and its byte. Else it holds
 *     every cell, one byte each, by trial, then case, then branch
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared
public record MatrixReading(String version, int trials, int cases, int branches, boolean isChanges, byte[] body) {}

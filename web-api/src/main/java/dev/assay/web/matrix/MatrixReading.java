package dev.assay.web.matrix;

import dev.assay.domain.matrix.ResultMatrix;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/**
 * A matrix, or what changed in it.
 *
 * @param version names this state of the matrix
 * @param trials repetitions of each case
 * @param isChanges whether {@code body} holds changes: of each cell its place (4 bytes, the highest first) and its byte. Else it holds
 *     every cell, one byte each, by trial, then case, then branch
 */
@SuppressWarnings("ArrayRecordComponent") // up to 20 MB, never compared
public record MatrixReading(String version, int trials, int cases, int branches, boolean isChanges, byte[] body) {

    /** The places of cells that changed, or else of those that are not open, ascending. */
    public IntStream recorded() {
        if (!isChanges) {
            return IntStream.range(0, body.length).filter(place -> ResultMatrix.isRecorded(body[place]));
        }
        ByteBuffer changes = ByteBuffer.wrap(body);
        return IntStream.range(0, body.length / LiveMatrix.CHANGE).map(i -> changes.getInt(i * LiveMatrix.CHANGE));
    }
}

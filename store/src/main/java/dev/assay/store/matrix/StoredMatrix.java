package dev.assay.store.matrix;

import dev.assay.domain.matrix.ResultMatrix;

/**
 * A matrix as it stands in the store.
 *
 * @param seen up to where the store was read
 * @param changes how many rows of changes were applied to the chunks
 */
public record StoredMatrix(ResultMatrix matrix, MatrixSeen seen, int changes, MatrixCounts expected) {}

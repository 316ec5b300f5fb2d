package dev.assay.domain.matrix;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The changes of one transaction to a matrix, as they are stored: eight bytes for each entry, applied in order. */
public final class MatrixEntries {

    /** Bytes of an entry: trial number (4), branch (2), kind (1), value (1). */
    static final int SIZE = 8;

    static final byte CELL = 0;
    static final byte SELECTION = 1;
    static final byte LABEL = 2;
    static final short NONE = -1;

    private ByteBuffer entries = ByteBuffer.allocate(16 * SIZE);

    /** Notes the result of a cell. */
    public void cell(int ordinal, int branchIndex, CellState state) {
        add(ordinal, (short) branchIndex, CELL, state.code());
    }

    /**
     * Notes the branch that a trial selected, in place of an earlier selection.
     *
     * @param selectedIndex the branch; null: none
     * @param fallback whether the strategy could not decide and took its default
     * @param tied whether a rule for ties chose
     * @param complete whether all cells of the trial are final
     */
    public void selection(
            int ordinal, @Nullable Integer selectedIndex, boolean fallback, boolean tied, boolean complete) {
        int value = (fallback ? ResultMatrix.FALLBACK : 0)
                | (tied ? ResultMatrix.TIED : 0)
                | (complete ? ResultMatrix.COMPLETE : 0);
        add(ordinal, selectedIndex == null ? NONE : selectedIndex.shortValue(), SELECTION, value);
    }

    /** Notes that a person labelled a cell as a whole. */
    public void labelled(int ordinal, int branchIndex) {
        add(ordinal, (short) branchIndex, LABEL, ResultMatrix.LABELLED);
    }

    private void add(int ordinal, short branch, byte kind, int value) {
        if (!entries.hasRemaining()) {
            entries = ByteBuffer.allocate(2 * entries.capacity()).put(entries.flip());
        }
        entries.putInt(ordinal).putShort(branch).put(kind).put((byte) value);
    }

    /** The entries so far. */
    public byte[] bytes() {
        return Arrays.copyOf(entries.array(), entries.position());
    }
}

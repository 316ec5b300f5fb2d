package dev.assay.domain.matrix;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Every cell of a campaign as one byte, by trial, then case, then branch. Trials that are added leave all earlier places as they
 * are. The lowest three bits of a byte are the {@link CellState}; the bits above say how the trial was decided.
 *
 * <p>One thread at a time changes it.
 */
public final class ResultMatrix {

    /** More cells than this are not held in memory; a list of outcomes shows them page by page. */
    public static final int MOST_CELLS = 20_000_000;

    /** The strategy chose the cell. */
    public static final int CHOSEN = 8;
    /** With {@link #CHOSEN}: the strategy could not decide and took its default. */
    public static final int FALLBACK = 16;
    /** With {@link #CHOSEN}: several were as good as each other, and a rule for ties took it. */
    public static final int TIED = 32;
    /** A person labelled the cell as a whole. A cell that is open has no label. */
    public static final int LABELLED = 64;
    /** The trial has its selection, and all its cells are final. */
    public static final int COMPLETE = 128;

    private static final int DECISION = CHOSEN | FALLBACK | TIED | COMPLETE;

    private final int cases;
    private final int branches;
    private final byte[] cells;
    private long finalCells;
    private long completeTrials;

    /**
     * A matrix of open cells.
     *
     * @throws IllegalArgumentException when it {@link #isTooLarge}
     */
    public ResultMatrix(int cases, int branches, int trials) {
        if (isTooLarge(cases, branches, trials)) {
            throw new IllegalArgumentException("A matrix has at most " + MOST_CELLS + " cells");
        }
        this.cases = cases;
        this.branches = branches;
        this.cells = new byte[cases * branches * trials];
    }

    /** Whether a cell with this byte has an outcome, final or not. */
    public static boolean isRecorded(byte cell) {
        return !CellState.OPEN.is(cell);
    }

    /** Whether a matrix would have more than {@link #MOST_CELLS} cells. */
    public static boolean isTooLarge(int cases, int branches, int trials) {
        return (double) cases * branches * trials > MOST_CELLS;
    }

    public int cases() {
        return cases;
    }

    public int branches() {
        return branches;
    }

    public int trials() {
        return cells.length / cases / branches;
    }

    /** The byte of a cell; each number counts from 0. */
    int cell(int trial, int position, int branch) {
        return cells[(trial * cases + position) * branches + branch];
    }

    /** The cells themselves, which change while the matrix does. A reader meanwhile sees each cell before or after a change. */
    public byte[] cells() {
        return cells;
    }

    /** Cells with a final outcome. */
    public long finalCells() {
        return finalCells;
    }

    /** Trials with a selection whose cells are all final. */
    public long completeTrials() {
        return completeTrials;
    }

    /** Puts stored cells in the places from {@code from} on; those behind the last place are left out. */
    public void put(int from, byte[] stored) {
        for (int i = 0; i < stored.length && from + i < cells.length; i++) {
            set(from + i, stored[i], index -> {});
        }
    }

    /**
     * Applies the changes of a transaction ({@link MatrixEntries}); trials that the matrix does not have are left out.
     *
     * @param changed receives the place of every cell that changed
     */
    public void apply(byte[] entries, IntConsumer changed) {
        ByteBuffer buffer = ByteBuffer.wrap(entries);
        while (buffer.remaining() >= MatrixEntries.SIZE) {
            long first = (long) buffer.getInt() * branches;
            int branch = buffer.getShort();
            byte kind = buffer.get();
            int value = buffer.get() & 0xff;
            if (first >= cells.length) {
                continue;
            }
            int index = (int) first + branch;
            switch (kind) {
                case MatrixEntries.SELECTION -> select((int) first, branch, value, changed);
                case MatrixEntries.LABEL -> set(index, (cells[index] & ~LABELLED) | value, changed);
                default -> set(index, (cells[index] & ~replaced(value)) | value, changed);
            }
        }
    }

    /** The bits that a new state of a cell replaces: one that is open again will hold another answer. */
    private static int replaced(int state) {
        return CellState.OPEN.is(state) ? CellState.BITS | LABELLED : CellState.BITS;
    }

    private void select(int first, int chosen, int value, IntConsumer changed) {
        for (int branch = 0; branch < branches; branch++) {
            int decision = branch == chosen ? value | CHOSEN : value & COMPLETE;
            set(first + branch, (cells[first + branch] & ~DECISION) | decision, changed);
        }
    }

    private void set(int index, int cell, IntConsumer changed) {
        int before = cells[index];
        if ((byte) cell == before) {
            return;
        }
        finalCells += (CellState.isFinal(cell) ? 1 : 0) - (CellState.isFinal(before) ? 1 : 0);
        if (index % branches == 0) {
            completeTrials += ((cell & COMPLETE) != 0 ? 1 : 0) - ((before & COMPLETE) != 0 ? 1 : 0);
        }
        cells[index] = (byte) cell;
        changed.accept(index);
    }

    /** Hands over the places at which this matrix, of the same campaign later on, differs from {@code earlier}. */
    public void differences(ResultMatrix earlier, IntConsumer changed) {
        int shared = Math.min(cells.length, earlier.cells.length);
        int from = 0;
        while (from < shared) {
            int next = Arrays.mismatch(cells, from, shared, earlier.cells, from, shared);
            if (next < 0) {
                break;
            }
            changed.accept(from + next);
            from += next + 1;
        }
        for (int index = shared; index < cells.length; index++) {
            if (cells[index] != 0) {
                changed.accept(index);
            }
        }
    }
}

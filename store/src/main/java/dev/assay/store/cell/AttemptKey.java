package dev.assay.store.cell;

/**
 * The key of an attempt at a cell.
 *
 * @param number of the attempt, from 1
 */
public record AttemptKey(CellClaim claim, int number) {

    /** The cell. */
    public CellKey cell() {
        return claim.cell();
    }
}

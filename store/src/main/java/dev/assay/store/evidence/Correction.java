package dev.assay.store.evidence;

/**
 * The change of a branch's counters when the first draws of cells that were asked again count instead of their outcomes now.
 *
 * @param passed more cells that passed; may be negative
 * @param failed fewer that ended in an error
 * @param unscored fewer without a result
 * @param unanswered fewer to which the provider gave no answer
 * @param open cells that are not done now, and of which the first draw is known
 */
public record Correction(long passed, long failed, long unscored, long unanswered, long open) {

    /** No cell was asked again. */
    public static final Correction NONE = new Correction(0, 0, 0, 0, 0);
}

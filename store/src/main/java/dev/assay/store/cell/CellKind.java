package dev.assay.store.cell;

/** What a cell produces. The word is persisted. */
public enum CellKind {
    /** One branch's answer; the slot is the branch's index. */
    BRANCH("branch"),
    /** One call of the judge; the slot is its number in the trial. */
    JUDGE("judge");

    private final String word;

    CellKind(String word) {
        this.word = word;
    }

    /** The persisted word. */
    public String word() {
        return word;
    }
}

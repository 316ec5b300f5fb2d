package dev.assay.domain.check.code;

/** What runs own code. */
public enum CodeLanguage {
    PYTHON("python"),
    JAVASCRIPT("javascript"),
    /** Any command. */
    PROGRAM("program");

    private final String word;

    CodeLanguage(String word) {
        this.word = word;
    }

    /** The word that users write. */
    public String word() {
        return word;
    }

    /** The program that runs it, as it is looked for on the PATH. */
    public String interpreter() {
        return this == PYTHON ? "python3" : this == JAVASCRIPT ? "node" : word;
    }

    /** Whether a text may be a verdict, fields may have names in Python's style, and a threshold goes before {@code pass}. */
    boolean isLenient() {
        return this != JAVASCRIPT;
    }
}

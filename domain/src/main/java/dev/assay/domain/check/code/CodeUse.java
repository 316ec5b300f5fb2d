package dev.assay.domain.check.code;

/** What a function of own code is for. */
public enum CodeUse {
    CHECK("check", "get_assert"),
    /** It makes another answer of one. */
    OUTPUT("output", "get_transform");

    private final String word;
    private final String function;

    CodeUse(String word, String function) {
        this.word = word;
        this.function = function;
    }

    /** The word of the protocol. */
    public String word() {
        return word;
    }

    /** The function of a file of Python, where none is named. */
    public String function() {
        return function;
    }
}

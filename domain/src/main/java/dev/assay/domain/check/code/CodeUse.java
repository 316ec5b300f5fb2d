package dev.assay.domain.check.code;

/** What a function of own code is for. */
public enum CodeUse {
    CHECK("check", "get_assert"),
    /** It makes another answer of one. */
    OUTPUT("output", "get_transform"),
    /** It says what a branch is asked. */
    PROMPT("prompt", ""),
    /** The same as a program, which is never loaded. */
    PRINTED_PROMPT("program", ""),
    /** It answers. */
    PROVIDER("provider", "call_api");

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

    /** The function of a file of Python, where none is named; empty: one must be. */
    public String function() {
        return function;
    }
}

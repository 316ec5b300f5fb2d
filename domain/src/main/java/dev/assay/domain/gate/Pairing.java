package dev.assay.domain.gate;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What the cases of two campaigns must have in common to be compared, beside their ids. */
public enum Pairing {
    /** All that they say, but tags: what is asked, checks, threshold, metadata. */
    CONTENT("content"),
    /** What is asked: prompts and context. Checks, threshold and metadata may differ, and so may who judges. */
    QUESTION("question");

    /** All by their words. */
    public static final Map<String, Pairing> BY_WORD = Collections.unmodifiableMap(Arrays.stream(values())
            .collect(Collectors.toMap(Pairing::word, pairing -> pairing, (a, _) -> a, LinkedHashMap::new)));

    private final String word;

    Pairing(String word) {
        this.word = word;
    }

    /** The word that users write; stored, so it never changes. */
    public String word() {
        return word;
    }
}

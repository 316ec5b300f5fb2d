package dev.assay.domain.stop;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rule by which a campaign stops asking. Users write the constant in lower case as {@code stop}. */
public enum StopRule {
    /** Every cell is asked. */
    NONE("none"),
    /** A case, a branch and the campaign stop when no remaining trial could change their result. */
    SETTLED("settled"),
    /** A branch stops when its trial rate is surely on one side of the gate's rule. */
    SURE("sure");

    private final String word;

    StopRule(String word) {
        this.word = word;
    }

    /** The persisted word. */
    public String word() {
        return word;
    }

    /** The rule of each word, in order. */
    public static Map<String, StopRule> words() {
        Map<String, StopRule> words = new LinkedHashMap<>();
        for (StopRule rule : values()) {
            words.put(rule.word, rule);
        }
        return Collections.unmodifiableMap(words);
    }
}

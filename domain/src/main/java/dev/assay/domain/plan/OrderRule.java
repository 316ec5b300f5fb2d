package dev.assay.domain.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rule by which cases are put in order. Users write the constant in lower case as {@code order}. */
public enum OrderRule {
    /** As the campaign file lists them. */
    GIVEN("given"),
    /** As a seed draws them that is stored with the campaign. */
    DRAWN("drawn");

    private final String word;

    OrderRule(String word) {
        this.word = word;
    }

    /** The word that users write. */
    public String word() {
        return word;
    }

    /** The rule of each word, in order. */
    public static Map<String, OrderRule> words() {
        Map<String, OrderRule> words = new LinkedHashMap<>();
        for (OrderRule rule : values()) {
            words.put(rule.word, rule);
        }
        return Collections.unmodifiableMap(words);
    }
}

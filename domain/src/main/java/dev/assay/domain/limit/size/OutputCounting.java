package dev.assay.domain.limit.size;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The time at which a provider counts the output of a request. Users write the constant in lower case. */
public enum OutputCounting {
    /** All that it may write, when it is sent. */
    ASKED,
    /** What was written. */
    PRODUCED;

    /** All by their words. */
    public static Map<String, OutputCounting> byWord() {
        Map<String, OutputCounting> words = new LinkedHashMap<>();
        for (OutputCounting counting : values()) {
            words.put(counting.name().toLowerCase(Locale.ROOT), counting);
        }
        return words;
    }
}

package dev.assay.domain.delivery;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The way in which cells reach their model. Users write the constant in lower case. */
public enum Delivery {
    /** Each request is a call that is answered at once. */
    LIVE,
    /** Requests go as provider batches, for less money, and are answered within a day. */
    BATCH,
    /** As provider batches while that pays and there is time, else live. */
    AUTO;

    /** The word that users write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All by their words, in the order of the constants. */
    public static Map<String, Delivery> byWord() {
        Map<String, Delivery> words = new LinkedHashMap<>();
        for (Delivery delivery : values()) {
            words.put(delivery.word(), delivery);
        }
        return words;
    }
}

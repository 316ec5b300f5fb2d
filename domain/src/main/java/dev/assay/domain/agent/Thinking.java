package dev.assay.domain.agent;

import java.util.Locale;

/** The amount of thinking that a model is asked for before it answers (docs/campaign-file.md). Users write the constant in lower case. */
public enum Thinking {
    OFF,
    MINIMAL,
    LOW,
    MEDIUM,
    HIGH,
    XHIGH,
    MAX;

    /** The word that users write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

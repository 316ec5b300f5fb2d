package dev.assay.domain.gate;

import org.jspecify.annotations.Nullable;

/**
 * A gate that accepts no loss against an earlier campaign, on the cases that both have.
 *
 * @param campaign id of the earlier campaign
 * @param branch its branch; null: the one with the id of the gated branch, or the only one
 * @param maxDrop by how much the trial rate may be lower, 0–1
 */
public record BaselineRule(String campaign, @Nullable String branch, double maxDrop) {

    public static final double DEFAULT_MAX_DROP = 0.02;

    public BaselineRule {
        if (!(maxDrop >= 0 && maxDrop <= 1)) {
            throw new IllegalArgumentException("maxDrop must be between 0 and 1");
        }
    }
}

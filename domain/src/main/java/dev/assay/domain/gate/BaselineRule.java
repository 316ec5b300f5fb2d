package dev.assay.domain.gate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gate that accepts no loss against an earlier campaign, on the cases that both have.
 *
 * @param branch its branch; null: the one with the id of the gated branch, or the only one
 * @param maxDrop by how much the trial rate may be lower, 0–1
 * @param pair what cases must have in common
 */
public record BaselineRule(String campaign, @Nullable String branch, double maxDrop, Pairing pair) {

    public static final double DEFAULT_MAX_DROP = 0.02;

    public BaselineRule {
        if (!(maxDrop >= 0 && maxDrop <= 1)) {
            throw new IllegalArgumentException("maxDrop must be between 0 and 1");
        }
    }

    /** A rule on cases with the same content. */
    public BaselineRule(String campaign, @Nullable String branch, double maxDrop) {
        this(campaign, branch, maxDrop, Pairing.CONTENT);
    }

    /**
     * The branch of the earlier campaign that a gated branch is compared with. It is the one that the rule names, else the one of
     * the same id, else the only one. The one that the rule names need not be there.
     *
     * @return null: none
     */
    public @Nullable String counterpart(String gated, List<String> known) {
        if (branch != null) {
            return branch;
        }
        return known.contains(gated) ? gated : known.size() == 1 ? known.getFirst() : null;
    }
}

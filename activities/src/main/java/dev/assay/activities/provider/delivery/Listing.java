package dev.assay.activities.provider.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of an account that may be one that is looked for.
 *
 * @param account hash of the account that the answer names; null: it names none
 * @param candidates in no order
 */
public record Listing(@Nullable String account, List<Candidate> candidates) {

    public Listing {
        candidates = List.copyOf(candidates);
    }

    /**
     * A batch that may be the one.
     *
     * @param isOurs whether it surely is; where false, it cannot be told before it ends
     */
    public record Candidate(String providerId, boolean isOurs) {}
}

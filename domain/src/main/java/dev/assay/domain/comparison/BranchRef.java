package dev.assay.domain.comparison;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of one of the two that are compared: {@code CAMPAIGN} or {@code CAMPAIGN:BRANCH}.
 *
 * @param branchId null: the campaign's only branch
 */
public record BranchRef(String campaignId, @Nullable String branchId) {

    /**
     * Reads a name.
     *
     * @throws AssayException INVALID_INPUT when it names no campaign, or an empty branch
     */
    public static BranchRef parse(String name) {
        int colon = name.indexOf(':');
        BranchRef ref = colon < 0
                ? new BranchRef(name, null)
                : new BranchRef(name.substring(0, colon), name.substring(colon + 1));
        if (ref.campaignId.isBlank() || (ref.branchId != null && ref.branchId.isBlank())) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "`" + Excerpt.of(name) + "` names nothing to compare: write CAMPAIGN or CAMPAIGN:BRANCH");
        }
        return ref;
    }

    /**
     * The index of the branch that it names.
     *
     * @return its index
     * @throws AssayException INVALID_INPUT when there is none of this name, or several and none is named
     */
    public int branchIndex(List<String> branchIds) {
        if (branchId == null && branchIds.size() == 1) {
            return 0;
        }
        String known = "its branches are " + String.join(", ", branchIds);
        if (branchId == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Campaign " + campaignId + " has several branches: name one, as in " + campaignId + ":"
                            + branchIds.getFirst() + "; " + known);
        }
        int index = branchIds.indexOf(branchId);
        if (index < 0) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Campaign " + campaignId + " has no branch `" + Excerpt.of(branchId) + "`; " + known);
        }
        return index;
    }
}

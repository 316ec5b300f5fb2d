package dev.assay.domain.outcome;

import dev.assay.domain.text.WhiteSpace;
import java.util.Comparator;
import java.util.List;

/** The outcomes of one trial. */
public final class Outcomes {

    private Outcomes() {}

    /**
     * The same outcomes by the order of their branches.
     *
     * @throws IllegalArgumentException when a branch has two
     */
    public static List<Outcome> inBranchOrder(List<Outcome> outcomes) {
        long branches = outcomes.stream().map(Outcome::branchIndex).distinct().count();
        if (branches < outcomes.size()) {
            throw new IllegalArgumentException("A trial has at most one outcome per branch");
        }
        return outcomes.stream()
                .sorted(Comparator.comparingInt(Outcome::branchIndex))
                .toList();
    }

    /** Whether it can be chosen: it completed, or a limit ended it after it had a text. */
    public static boolean isSelectable(Outcome outcome) {
        return isSelectable(outcome.status(), outcome.response());
    }

    /**
     * The same for an outcome that was not read whole.
     *
     * @param response what was said last; looked at only where a limit ended it
     */
    public static boolean isSelectable(OutcomeStatus status, String response) {
        return switch (status) {
            case COMPLETED -> true;
            case LIMIT -> !WhiteSpace.isBlank(response);
            case MODEL_ERROR, TIMED_OUT, CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> false;
        };
    }

    /** The path of the branch in the campaign file, so that the number is plainly 0-based. */
    public static String name(Outcome outcome) {
        return name(outcome.branchIndex());
    }

    public static String name(int branchIndex) {
        return "branches[" + branchIndex + "]";
    }
}

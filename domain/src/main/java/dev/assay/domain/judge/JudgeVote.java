package dev.assay.domain.judge;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vote of one judge on the responses that it compared, over all orders in which it saw them. Stored with the selection; the
 * names are those of its JSON.
 *
 * @param judge its place among the judges, from 0
 * @param compared branch indexes of the responses, ascending
 * @param result whether it has a vote
 * @param choice the branch that it votes for; null: none
 * @param tied the branches that it named most often when it could not decide; else empty
 * @param readings what was understood of its calls, in order
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JudgeVote(
        int judge,
        List<Integer> compared,
        Result result,
        @Nullable Integer choice,
        List<Integer> tied,
        List<ParsedReply> readings) {

    /** The result of a vote. */
    public enum Result {
        /** It named one branch in more than half of the orders. */
        VOTED,
        /** It named branches, but none in more than half of the orders. */
        TIED,
        /** None of its calls gave a choice: it does not count. */
        LEFT_OUT
    }

    public JudgeVote {
        compared = List.copyOf(compared);
        tied = List.copyOf(tied);
        readings = List.copyOf(readings);
        if ((result == Result.VOTED) != (choice != null)) {
            throw new IllegalArgumentException("A judge that voted has a choice");
        }
    }
}

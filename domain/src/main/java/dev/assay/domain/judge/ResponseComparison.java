package dev.assay.domain.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of all judges on the same responses.
 *
 * @param branches indexes of the branches whose responses were compared, ascending
 */
public record ResponseComparison(List<Integer> branches, List<JudgeVote> votes) {

    public ResponseComparison {
        branches = List.copyOf(branches);
        votes = List.copyOf(votes);
    }

    /** The comparisons of a trial, from all its votes. */
    public static List<ResponseComparison> of(List<JudgeVote> votes) {
        Map<List<Integer>, List<JudgeVote>> byBranches = new LinkedHashMap<>();
        votes.forEach(vote -> byBranches
                .computeIfAbsent(vote.compared(), _ -> new ArrayList<>())
                .add(vote));
        return byBranches.entrySet().stream()
                .map(entry -> new ResponseComparison(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The judges whose vote counts: those that named a branch at least once. */
    public List<JudgeVote> counted() {
        return votes.stream()
                .filter(vote -> vote.result() != JudgeVote.Result.LEFT_OUT)
                .toList();
    }

    /** The number of judges that voted for each branch. */
    public Counts counts() {
        return Counts.of(votes.stream()
                .map(JudgeVote::choice)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList());
    }

    /** The branch for which more than half of the judges that count voted; null: there is none. */
    public @Nullable Integer winner() {
        return counts().majority(counted().size());
    }

    /** The branches that lead without a majority; where no judge has a vote, those between which the judges could not decide. */
    public List<Integer> tied() {
        List<Integer> leaders = counts().leaders();
        return leaders.isEmpty()
                ? votes.stream()
                        .flatMap(vote -> vote.tied().stream())
                        .distinct()
                        .sorted()
                        .toList()
                : leaders;
    }
}

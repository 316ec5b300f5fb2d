package dev.assay.domain.selection;

import dev.assay.domain.judge.JudgeVote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategy's decision for one trial.
 *
 * @param selectedIndex 0-based, into the campaign's branches; null when no branch completed
 * @param strategy its type, such as {@code llm-judge}
 * @param reason one sentence for people
 * @param fallback whether the strategy could not decide and took its stated default
 * @param decided whether the selection counts as a win: not a fallback, and there was something to choose from
 * @param votes what judges said; empty when none was asked
 */
public record Selection(
        @Nullable Integer selectedIndex,
        String strategy,
        String reason,
        boolean fallback,
        boolean decided,
        List<JudgeVote> votes) {

    public Selection {
        votes = List.copyOf(votes);
    }

    /** A selection for which no judge was asked. */
    public Selection(
            @Nullable Integer selectedIndex, String strategy, String reason, boolean fallback, boolean decided) {
        this(selectedIndex, strategy, reason, fallback, decided, List.of());
    }
}

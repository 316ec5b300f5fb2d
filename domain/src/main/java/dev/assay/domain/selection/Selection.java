package dev.assay.domain.selection;

import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategy's decision for one trial.
 *
 * @param strategy its type, such as {@code llm-judge}
 * @param decision which branch, and whether it won
 * @param votes of the judges; empty when none was asked
 * @param usage tokens that a custom strategy reports for itself; calls of models are counted apart
 */
public record Selection(String strategy, Decision decision, String reason, List<JudgeVote> votes, Usage usage) {

    public Selection {
        votes = List.copyOf(votes);
    }

    /** A selection without usage beside the judge calls. */
    public Selection(String strategy, Decision decision, String reason, List<JudgeVote> votes) {
        this(strategy, decision, reason, votes, Usage.NONE);
    }

    /** A selection for which no judge was asked. */
    public Selection(String strategy, Decision decision, String reason) {
        this(strategy, decision, reason, List.of());
    }

    /** The same, by a strategy that reports {@code tokens} for itself. */
    Selection using(Usage tokens) {
        return new Selection(strategy, decision, reason, votes, tokens);
    }

    /** The branch that is selected, 0-based; null: none. */
    public @Nullable Integer selectedIndex() {
        return decision.index();
    }

    /** Whether the strategy could not decide and took its stated default. */
    public boolean fallback() {
        return decision instanceof Decision.FellBack;
    }

    /** Whether the strategy chose among several branches: it won, or was as good as others and a rule for ties took it. */
    public boolean decided() {
        return won() || tied();
    }

    /** Whether the selection counts as a win. */
    public boolean won() {
        return decision instanceof Decision.Won;
    }

    /** Whether several were as good as each other, and a rule for ties chose. */
    public boolean tied() {
        return decision instanceof Decision.Tied;
    }
}

package dev.assay.domain.evaluation;

import java.util.List;

/** What a strategy says of a trial's outcomes. */
public sealed interface Choice {

    /** The winner is known. */
    record Made(Selection selection) implements Choice {}

    /**
     * A judge must be asked; {@link Selector#judged} or {@link Selector#judgeFailed} turns its reply into a selection.
     *
     * @param shown the outcomes whose responses the judge reads, in branch order, at least two
     */
    record AskJudge(List<Outcome> shown) implements Choice {

        public AskJudge {
            shown = List.copyOf(shown);
        }

        /** The branch of each response that is shown: response 1 first. */
        public List<Integer> shownBranches() {
            return shown.stream().map(Outcome::branchIndex).toList();
        }

        /** The responses as the judge is shown them, before compaction. */
        public List<String> responses() {
            return shown.stream().map(Outcome::response).toList();
        }
    }
}

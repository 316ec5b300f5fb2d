package dev.assay.activities.parrot;

import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Strategy;
import java.util.List;

/** A strategy of a kind that only tests know: it takes the last branch. */
public record LastAnswer(String why) implements Strategy {

    static final String WORD = "last-answer";

    @Override
    public String type() {
        return WORD;
    }

    @Override
    public Choice choose(List<Outcome> selectable) {
        int last = selectable.getLast().branchIndex();
        return new Choice.Made(new Selection(WORD, Decision.stored(last, false, true, false), why));
    }
}

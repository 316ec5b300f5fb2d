package dev.assay.domain.campaignfile.strategy;

import dev.assay.domain.document.FieldReader;
import dev.assay.domain.selection.Strategy;

/** The kind of a strategy without fields. */
record PlainKind(Strategy only) implements StrategyKind<Strategy> {

    @Override
    public String word() {
        return only.type();
    }

    @Override
    public Strategy read(FieldReader fields, Parts parts) {
        return only;
    }

    @Override
    public void check(Strategy strategy, int branches, FieldReader fields) {
        if (branches > strategy.mostBranches()) {
            fields.problem(
                    "type",
                    "Strategy " + strategy.type() + " takes one branch, but there are " + branches
                            + "; choose another, such as pick-first, token-efficient, elaborate or llm-judge.");
        }
    }
}

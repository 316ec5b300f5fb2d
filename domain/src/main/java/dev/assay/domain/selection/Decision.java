package dev.assay.domain.selection;

import org.jspecify.annotations.Nullable;

/** The decision of a strategy on one trial. Only {@link Won} counts as a win. */
public sealed interface Decision {

    /** The branch that is selected, 0-based; null: none. */
    @Nullable
    Integer index();

    /** The strategy chose one of several. */
    record Won(Integer index) implements Decision {}

    /** Several were as good as each other, and the rule for ties took this one. */
    record Tied(Integer index) implements Decision {}

    /** The decision without a choice: there was one branch to choose from, or the strategy takes the first. */
    record Only(Integer index) implements Decision {}

    /** The strategy could not decide and took its stated default; null where it has none. */
    record FellBack(@Nullable Integer index) implements Decision {}

    /** The decision that no branch can be selected. */
    record Nothing() implements Decision {
        @Override
        public @Nullable Integer index() {
            return null;
        }
    }

    /** {@code index} won, or is the strategy's default. */
    static Decision of(Integer index, boolean wins) {
        return wins ? new Won(index) : new FellBack(index);
    }

    /**
     * A decision as it is stored.
     *
     * @param decided whether the strategy chose among several
     * @param tied whether a rule for ties chose
     */
    static Decision stored(@Nullable Integer index, boolean fallback, boolean decided, boolean tied) {
        if (fallback) {
            return new FellBack(index);
        }
        if (index == null) {
            return new Nothing();
        }
        if (tied) {
            return new Tied(index);
        }
        return decided ? new Won(index) : new Only(index);
    }
}

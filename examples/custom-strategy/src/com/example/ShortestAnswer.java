package com.example;

import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.outcome.Outcome;
import java.util.List;

/** Takes the shortest answer that passed all its checks, else the shortest of all; the first of equals. */
public final class ShortestAnswer implements SelectionStrategy {

    @Override
    public String name() {
        return "shortest-answer";
    }

    @Override
    public Pick pick(List<Outcome> candidates) {
        int shortest = 0;
        for (int i = 1; i < candidates.size(); i++) {
            if (isBetter(candidates.get(i), candidates.get(shortest))) {
                shortest = i;
            }
        }
        int length = candidates.get(shortest).response().length();
        return new Pick(shortest, "The shortest of " + candidates.size() + " answers, " + length + " characters.");
    }

    private static boolean isBetter(Outcome one, Outcome other) {
        if (passed(one) != passed(other)) {
            return passed(one);
        }
        return one.response().length() < other.response().length();
    }

    private static boolean passed(Outcome outcome) {
        return outcome.checks().stream().allMatch(check -> Double.valueOf(1).equals(check.score()));
    }
}

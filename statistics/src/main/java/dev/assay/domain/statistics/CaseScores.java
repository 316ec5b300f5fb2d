package dev.assay.domain.statistics;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The trials of one case, and how well they went.
 *
 * @param scores 0–1, of the trials of which something is known and that have a score; in any order
 */
public record CaseScores(CaseCounts counts, List<Double> scores) {

    public CaseScores {
        scores = List.copyOf(scores);
        if (scores.size() > counts.known()) {
            throw new IllegalArgumentException(scores.size() + " scores of " + counts.known() + " trials");
        }
    }

    /** Trials that score 1 where they passed, and else 0. */
    public static CaseScores of(CaseCounts counts) {
        return new CaseScores(
                counts,
                Stream.concat(
                                Collections.nCopies(counts.passed(), 1.0).stream(),
                                Collections.nCopies(counts.known() - counts.passed(), 0.0).stream())
                        .toList());
    }

    /** Whether every trial is known, and has a score. */
    public boolean isWhole() {
        return scores.size() == counts.planned();
    }

    /** Whether a trial scores neither 0 nor 1, so that scores say more than how often the case passes. */
    public boolean isGraded() {
        return scores.stream().anyMatch(score -> score > 0 && score < 1);
    }

    /** The same case, as if what is unknown of it had passed with score 1, or failed with score 0. */
    public CaseScores known(boolean passed) {
        int open = counts.planned() - scores.size();
        return new CaseScores(
                new CaseCounts(counts.passed() + (passed ? counts.unknown() : 0), 0, counts.planned()),
                Stream.concat(scores.stream(), Collections.nCopies(open, passed ? 1.0 : 0.0).stream())
                        .toList());
    }
}

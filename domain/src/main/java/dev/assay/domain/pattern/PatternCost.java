package dev.assay.domain.pattern;

import java.util.List;

/**
 * The bound of what a part of a pattern can make Java's matcher do without reading a character; never less than it really does.
 *
 * <p>The matcher is a search through a tree. Its reads are counted elsewhere. What lies between two reads is bounded here: the
 * nodes that can be reached from one read, or from the beginning, before the next. At the end of the text nothing is left to be
 * read, and atoms fail without a read; that is counted apart.
 *
 * @param ways in how many ways the part can be passed without a read; 0: it always reads
 * @param steps nodes from its beginning to the next read
 * @param endSteps the same at the end of the text
 * @param laterWays in how many ways it can be left after a read inside it
 * @param laterSteps nodes inside it after such a read
 * @param laterEndSteps the same when that read took the last character
 * @param length characters that it takes at most
 */
record PatternCost(
        double ways,
        double steps,
        double endSteps,
        double laterWays,
        double laterSteps,
        double laterEndSteps,
        double length) {

    /** A part that takes a character: a letter, a class. */
    static final PatternCost ATOM = new PatternCost(0, 0, 1, 1, 0, 0, 1);

    /** A part that takes none: nothing at all, or an anchor. */
    static final PatternCost EMPTY = new PatternCost(1, 1, 1, 0, 0, 0, 0);

    /** The text of an earlier group, which may be empty. */
    static final PatternCost BACK_REFERENCE = new PatternCost(1, 1, 1, 1, 0, 0, Double.MAX_VALUE);

    /** Larger numbers are equal to this, and must not become infinite: infinity times 0 is no number. */
    private static final double MOST = 1e15;

    PatternCost {
        ways = Math.min(ways, MOST);
        steps = Math.min(steps, MOST);
        endSteps = Math.min(endSteps, MOST);
        laterWays = Math.min(laterWays, MOST);
        laterSteps = Math.min(laterSteps, MOST);
        laterEndSteps = Math.min(laterEndSteps, MOST);
        length = Math.min(length, MOST);
    }

    /** The larger of what its beginning and what a read inside it can cause. */
    double worst() {
        return Math.max(steps, laterSteps);
    }

    /** The same at the end of the text. */
    double worstAtEnd() {
        return Math.max(endSteps, laterEndSteps);
    }

    /** This part and then {@code next}. */
    PatternCost then(PatternCost next) {
        return new PatternCost(
                ways * next.ways,
                steps + ways * next.steps,
                endSteps + ways * next.endSteps,
                Math.max(next.laterWays, laterWays * next.ways),
                Math.max(next.laterSteps, laterSteps + laterWays * next.steps),
                Math.max(next.laterEndSteps, laterEndSteps + laterWays * next.endSteps),
                length + next.length);
    }

    /** One of several parts. */
    static PatternCost anyOf(List<PatternCost> branches) {
        PatternCost all = new PatternCost(0, 1, 1, 0, 0, 0, 0);
        for (PatternCost branch : branches) {
            all = new PatternCost(
                    all.ways + branch.ways,
                    all.steps + branch.steps,
                    all.endSteps + branch.endSteps,
                    Math.max(all.laterWays, branch.laterWays),
                    Math.max(all.laterSteps, branch.laterSteps),
                    Math.max(all.laterEndSteps, branch.laterEndSteps),
                    Math.max(all.length, branch.length));
        }
        return all;
    }

    /**
     * This part, {@code least} to {@code most} times. Java repeats what took nothing only until the least number is reached. So it
     * can be passed without a read in no more ways than once, or not at all.
     */
    PatternCost repeated(double least, double most) {
        double rounds = ways == 0 ? 1 : Math.max(1, least);
        boolean once = most <= 1;
        return new PatternCost(
                ways + (least == 0 ? 1 : 0),
                1 + rounds * steps,
                1 + rounds * endSteps,
                once ? laterWays : laterWays * (1 + ways),
                once ? laterSteps : laterSteps + laterWays * (1 + rounds * steps),
                once ? laterEndSteps : laterEndSteps + laterWays * (1 + rounds * endSteps),
                Math.min(most, MOST) * length);
    }

    /** This part as {@code (?=…)} or {@code (?!…)}: it takes nothing, and is passed once. */
    PatternCost ahead() {
        return new PatternCost(1, 1 + steps, 1 + endSteps, 0, laterSteps, laterEndSteps, 0);
    }

    /** This part as {@code (?<=…)} or {@code (?<!…)}, which is tried from each place where it could begin. */
    PatternCost behind() {
        double places = 1 + length;
        return new PatternCost(1, places * (1 + steps), places * (1 + endSteps), 0, laterSteps, laterEndSteps, 0);
    }

    /** This part as {@code (?>…)}, which is passed in one way only. */
    PatternCost atomic() {
        return new PatternCost(
                Math.min(ways, 1), 1 + steps, 1 + endSteps, Math.min(laterWays, 1), laterSteps, laterEndSteps, length);
    }
}

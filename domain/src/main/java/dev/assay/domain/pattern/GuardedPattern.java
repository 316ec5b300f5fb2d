package dev.assay.domain.pattern;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression (Java syntax) whose search ends even when it backtracks without end. It may read the text's characters only
 * so often, and do only so much between two reads. Counting instead of measuring time gives the same answer on every machine.
 */
public final class GuardedPattern {

    /** Longest pattern, in UTF-16 code units. */
    public static final int MAX_LENGTH = 10_000;

    /** Reads of one character that a search may do: about a tenth of a second, and 20 passes over a million characters. */
    static final long MAX_READS = 20_000_000;

    /** Steps of the matcher that a pattern may cause without reading a character. */
    static final int MAX_STEPS = 100_000;

    /** Steps without a read that every pattern may take between two. */
    private static final int FREE_STEPS = 8;

    /** Further steps that cost as much as one read. */
    private static final int STEPS_PER_READ = 2;

    /** Characters of a class that are compared in the time of one read. */
    private static final int COMPARED_PER_READ = 8;

    /** The cost of a search that reads nothing. */
    private static final int PER_SEARCH = 16;

    private final Pattern pattern;
    private final PatternReader.Bounds bounds;

    private GuardedPattern(Pattern pattern, PatternReader.Bounds bounds) {
        this.pattern = pattern;
        this.bounds = bounds;
    }

    /**
     * Reads {@code regex}.
     *
     * @throws PatternSyntaxException when it is not a regular expression, or is too long or too deep. Also when it counts to more
     *     than {@value PatternReader#MAX_COUNT}, or can match nothing in too many ways
     */
    public static GuardedPattern compile(String regex) {
        if (regex.length() > MAX_LENGTH) {
            throw new PatternSyntaxException("More than " + MAX_LENGTH + " characters", regex, MAX_LENGTH);
        }
        try {
            Pattern pattern = Pattern.compile(regex);
            PatternReader.Bounds bounds = PatternReader.read(regex);
            if (Math.max(bounds.cost().worst(), bounds.cost().worstAtEnd()) > MAX_STEPS) {
                throw new PatternSyntaxException("It can match the empty text in too many ways", regex, -1);
            }
            return new GuardedPattern(pattern, bounds);
        } catch (StackOverflowError tooDeep) {
            throw new PatternSyntaxException("Groups are nested too deeply", regex, -1);
        }
    }

    /**
     * Whether the pattern matches somewhere in {@code text}.
     *
     * @throws TooLongException when that cannot be said within {@value #MAX_READS} reads, or within the stack
     */
    public boolean find(String text) {
        return find(text, new Reads());
    }

    /** Whether the pattern matches somewhere in {@code text}, with reads that several searches share. */
    public boolean find(String text, Reads reads) {
        try {
            return pattern.matcher(new CountedText(text, new Budget(bounds, text.length(), reads)))
                    .find();
        } catch (StackOverflowError tooDeep) {
            // Java's matcher recurses for each repetition of a group with alternatives.
            throw new TooLongException();
        }
    }

    /** The search was given up. */
    public static final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("The pattern took too long", null, false, false);
        }
    }

    /** Reads that are left, for one search or for several. */
    public static final class Reads {
        private long left = MAX_READS;

        private void spend(long reads) {
            left -= reads;
            if (left < 0) {
                throw new TooLongException();
            }
        }
    }

    /** The cost of one pattern's reads. Steps between two reads are paid with the read before them. */
    private static final class Budget {
        private final int lastIndex;
        private final long perRead;
        private final long perLastRead;
        private final Reads reads;

        Budget(PatternReader.Bounds bounds, int length, Reads reads) {
            this.reads = reads;
            long steps = inReads(bounds.cost().worst());
            lastIndex = length - 1;
            perRead = 1 + steps + bounds.longestClass() / COMPARED_PER_READ;
            perLastRead = perRead + inReads(bounds.cost().worstAtEnd());
            // The search begins anew at each character.
            reads.spend(PER_SEARCH + steps * (length + 1L));
        }

        private static long inReads(double steps) {
            return (long) Math.max(0, steps - FREE_STEPS) / STEPS_PER_READ;
        }

        void read(int index) {
            reads.spend(index == lastIndex ? perLastRead : perRead);
        }
    }

    private record CountedText(String text, Budget budget) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            budget.read(index);
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            // Never called: only the pattern reads this text, and it needs single characters.
            throw new UnsupportedOperationException();
        }

        @Override
        public String toString() {
            return text;
        }
    }
}

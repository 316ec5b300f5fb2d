package dev.assay.domain.check;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression (Java syntax) whose search ends even when it backtracks without end: it may read the text's characters
 * only so often. Counting instead of measuring time gives the same answer on every machine.
 *
 * <p>Not bounded are patterns that repeat nothing without end, such as {@code (?:){2000000000}}: they read no character.
 */
public final class GuardedPattern {

    /** Longest pattern, in UTF-16 code units. */
    public static final int MAX_LENGTH = 10_000;

    /** Reads of one character that a search may do: about a tenth of a second, and 20 passes over a million characters. */
    static final long MAX_READS = 20_000_000;

    private final Pattern pattern;

    private GuardedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Reads {@code regex}.
     *
     * @throws PatternSyntaxException when it is not a regular expression, or too long or too deep to be one
     */
    public static GuardedPattern compile(String regex) {
        if (regex.length() > MAX_LENGTH) {
            throw new PatternSyntaxException("More than " + MAX_LENGTH + " characters", regex, MAX_LENGTH);
        }
        try {
            return new GuardedPattern(Pattern.compile(regex));
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
        try {
            return pattern.matcher(new CountedText(text, new Budget())).find();
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

    private static final class Budget {
        private long reads;

        void spend() {
            reads++;
            if (reads > MAX_READS) {
                throw new TooLongException();
            }
        }
    }

    private record CountedText(String text, Budget budget) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            budget.spend();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new CountedText(text.substring(start, end), budget);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}

package dev.assay.domain.pattern;

import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.text.Excerpt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression (Java syntax) whose search may read the text's characters only so often. Counting instead of measuring time
 * gives the same answer on every machine. What takes long between two reads is ended from outside: patterns of users run in compute
 * processes.
 */
public final class GuardedPattern {

    /** Longest pattern, in UTF-16 code units. */
    public static final int MAX_LENGTH = 10_000;

    /** Reads of one character that a search may do: about a tenth of a second, and 20 passes over a million characters. */
    static final long MAX_READS = 20_000_000;

    /** The cost of a search that reads nothing. */
    private static final int PER_SEARCH = 16;

    private final Pattern pattern;

    private GuardedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Reads {@code regex}.
     *
     * @throws PatternSyntaxException when it is not a regular expression, or is too long or too deep
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

    /** The problem with {@code regex} as a regular expression, without a full stop at the end; null: none. */
    public static @Nullable String problem(String regex) {
        return Definitions.problem(Definition.Kind.PATTERN, () -> regex, () -> problemHere(regex));
    }

    private static @Nullable String problemHere(String regex) {
        try {
            var _ = compile(regex);
            return null;
        } catch (PatternSyntaxException e) {
            return Excerpt.of(e.getDescription()) + (e.getIndex() < 0 ? "" : " at position " + e.getIndex());
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
            reads.spend(PER_SEARCH);
            return pattern.matcher(new CountedText(text, reads)).find();
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

    private record CountedText(String text, Reads reads) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            reads.spend(1);
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

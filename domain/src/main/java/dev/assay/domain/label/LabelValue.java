package dev.assay.domain.label;

import dev.assay.domain.text.WhiteSpace;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of a label.
 *
 * @param score 1 pass, 0 fail, between: a score; null: the person is unsure
 */
public record LabelValue(@Nullable Double score) {

    public static final LabelValue PASS = new LabelValue(1.0);
    public static final LabelValue FAIL = new LabelValue(0.0);
    public static final LabelValue UNSURE = new LabelValue(null);

    /** What is wrong with a text that {@link #parse} does not know, as the end of a sentence. */
    static final String RULE = "must be pass, fail, unsure or a number from 0 to 1";

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,20}(\\.[0-9]{0,20})?|\\.[0-9]{1,20}");

    /** From here on a score is a pass. */
    private static final double PASSES = 0.5;

    public LabelValue {
        if (score != null && !(score >= 0 && score <= 1)) {
            throw new IllegalArgumentException("A label of " + score + " is none");
        }
    }

    /** What a label says of its trial. */
    public enum Word {
        PASS,
        FAIL,
        UNSURE;

        /** As people write it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The value that a text says, capitals or not; null: none. */
    public static @Nullable LabelValue parse(String text) {
        String word = WhiteSpace.trim(text);
        for (Word known : Word.values()) {
            if (word.equalsIgnoreCase(known.name())) {
                return of(known);
            }
        }
        if (!NUMBER.matcher(word).matches()) {
            return null;
        }
        double number = Double.parseDouble(word);
        return number <= 1 ? new LabelValue(number) : null;
    }

    static LabelValue of(Word word) {
        return switch (word) {
            case PASS -> PASS;
            case FAIL -> FAIL;
            case UNSURE -> UNSURE;
        };
    }

    /** What it says of its trial. */
    public Word verdict() {
        return score == null ? Word.UNSURE : passes(score) ? Word.PASS : Word.FAIL;
    }

    /** As files write it: a word, or the number between. */
    public String text() {
        return score == null || score == 0 || score == 1 ? verdict().text() : String.valueOf(score);
    }

    static boolean passes(double score) {
        return score >= PASSES;
    }
}

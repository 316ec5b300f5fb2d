package dev.assay.domain.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * The reader of a pattern that Java has accepted, which computes its cost. It follows the reader of
 * {@link java.util.regex.Pattern}, oddities included. In doubt it refuses.
 */
final class PatternReader {

    /** Largest count in braces. */
    static final int MAX_COUNT = 1_000;

    /** Groups inside each other, and brackets inside each other. */
    static final int MAX_DEPTH = 100;

    private static final String FLAGS = "imsduxU-";

    private final PatternText text;
    private int depth;
    private int longestClass;

    private PatternReader(String regex) {
        this.text = new PatternText(regex);
    }

    /**
     * The cost of a pattern.
     *
     * @param cost between two reads
     * @param longestClass characters of its longest class, which each read may have to compare
     */
    record Bounds(PatternCost cost, int longestClass) {}

    /**
     * Reads {@code regex}.
     *
     * @param regex a pattern that Java accepts
     * @throws PatternSyntaxException when it repeats too often or is nested too deeply, or cannot be read here
     */
    static Bounds read(String regex) {
        PatternReader reader = new PatternReader(regex);
        PatternCost cost = reader.alternatives();
        if (!reader.text.isAtEnd()) {
            throw reader.text.refused(PatternText.UNKNOWN);
        }
        return new Bounds(cost, reader.longestClass);
    }

    private PatternCost alternatives() {
        if (++depth > MAX_DEPTH) {
            throw text.refused("Groups are nested more than " + MAX_DEPTH + " deep");
        }
        List<PatternCost> branches = new ArrayList<>();
        do {
            branches.add(sequence());
        } while (text.takes('|'));
        depth--;
        return branches.size() == 1 ? branches.getFirst() : PatternCost.anyOf(branches);
    }

    private PatternCost sequence() {
        PatternCost all = null;
        for (int next = text.peek(); next != PatternText.END && next != '|' && next != ')'; next = text.peek()) {
            PatternCost part = quantified(atom());
            all = all == null ? part : all.then(part);
        }
        return all == null ? PatternCost.EMPTY : all;
    }

    private PatternCost atom() {
        int first = text.peek();
        if (first == '{') {
            // Java takes an empty text for what is repeated here.
            return PatternCost.EMPTY;
        }
        text.next();
        return switch (first) {
            case '(' -> group();
            case '[' -> {
                longestClass = Math.max(longestClass, PatternClass.skip(text));
                yield PatternCost.ATOM;
            }
            case '\\' -> escape();
            case '^', '$' -> PatternCost.EMPTY;
            default -> PatternCost.ATOM;
        };
    }

    private PatternCost escape() {
        int letter = text.escaped();
        return switch (letter) {
            case 'A', 'B', 'G', 'Z', 'z' -> PatternCost.EMPTY;
            case 'b' -> {
                text.takesAll("{g}");
                yield PatternCost.EMPTY;
            }
            case 'k' -> {
                text.skipPast('>');
                yield PatternCost.BACK_REFERENCE;
            }
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                text.skipDigits();
                yield PatternCost.BACK_REFERENCE;
            }
            default -> {
                text.skipRestOfEscape(letter);
                yield PatternCost.ATOM;
            }
        };
    }

    private PatternCost quantified(PatternCost part) {
        PatternCost result = part;
        int next = text.peek();
        if (next == '*' || next == '+' || next == '?') {
            text.next();
            result = part.repeated(next == '+' ? 1 : 0, next == '?' ? 1 : Double.MAX_VALUE);
        } else if (next == '{') {
            text.next();
            result = counted(part);
        } else {
            return part;
        }
        if (text.peek() == '?' || text.peek() == '+') {
            text.next();
        }
        return result;
    }

    private PatternCost counted(PatternCost part) {
        String counts = text.upTo('}');
        int comma = counts.indexOf(',');
        double least = count(comma < 0 ? counts : counts.substring(0, comma));
        String written = comma < 0 ? counts : counts.substring(comma + 1);
        double most = written.isEmpty() ? Double.MAX_VALUE : count(written);
        return part.repeated(least, most);
    }

    private double count(String digits) {
        if (digits.isEmpty() || !digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            throw text.refused(PatternText.UNKNOWN);
        }
        double count = Double.parseDouble(digits);
        if (count > MAX_COUNT) {
            throw text.refused("It repeats something more than " + MAX_COUNT + " times");
        }
        return count;
    }

    private PatternCost group() {
        boolean comments = text.comments();
        if (!text.takes('?')) {
            return closed(alternatives(), comments);
        }
        int kind = text.raw();
        return switch (kind) {
            case ':' -> closed(alternatives(), comments);
            case '=', '!' -> closed(alternatives(), comments).ahead();
            case '>' -> closed(alternatives(), comments).atomic();
            case '<' -> {
                if (text.takes('=') || text.takes('!')) {
                    yield closed(alternatives(), comments).behind();
                }
                text.skipPast('>');
                yield closed(alternatives(), comments);
            }
            default -> setsFlagsOnly(kind) ? PatternCost.EMPTY : closed(alternatives(), comments);
        };
    }

    private PatternCost closed(PatternCost inside, boolean comments) {
        if (!text.takes(')')) {
            throw text.refused(PatternText.UNKNOWN);
        }
        text.setComments(comments);
        return inside;
    }

    /** {@code (?i)} holds to the end of the group around it, {@code (?i:…)} to its own. */
    private boolean setsFlagsOnly(int first) {
        boolean on = true;
        int flag = first;
        while (flag != ')' && flag != ':') {
            if (FLAGS.indexOf(flag) < 0) {
                throw text.refused("It sets a flag that is not supported");
            }
            if (flag == '-') {
                on = false;
            } else if (flag == 'x') {
                text.setComments(on);
            }
            flag = text.raw();
        }
        return flag == ')';
    }
}

package dev.assay.domain.pattern;

import java.util.Arrays;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;

/** The characters of a pattern, one after the other, without quotations and, where that is switched on, comments. */
final class PatternText {

    /** The result of a peek at the end. */
    static final int END = -1;

    static final String UNKNOWN = "It has a form that is not supported";

    /** Escapes whose rest Java would look for behind white space when comments are on. */
    private static final String WITH_REST = "ckpPNxu0";

    private final String regex;
    private final int[] characters;
    private int at;
    private boolean comments;

    PatternText(String regex) {
        this.regex = regex;
        this.characters = withoutQuotations(regex.codePoints().toArray());
    }

    PatternSyntaxException refused(String why) {
        return new PatternSyntaxException(why, regex, -1);
    }

    /** As Java does it before it reads: quoted characters that could mean something get a backslash. */
    private static int[] withoutQuotations(int[] all) {
        IntStream.Builder result = IntStream.builder();
        boolean quoted = false;
        for (int i = 0; i < all.length; i++) {
            boolean escapes = all[i] == '\\' && i + 1 < all.length;
            if (quoted && escapes && all[i + 1] == 'E') {
                quoted = false;
                i++;
            } else if (quoted) {
                if (all[i] < 0x80 && !Character.isLetterOrDigit(all[i])) {
                    result.add('\\');
                }
                result.add(all[i]);
            } else if (escapes && all[i + 1] == 'Q') {
                quoted = true;
                i++;
            } else {
                result.add(all[i]);
                if (escapes) {
                    result.add(all[++i]);
                }
            }
        }
        return result.build().toArray();
    }

    boolean comments() {
        return comments;
    }

    void setComments(boolean on) {
        comments = on;
    }

    int position() {
        return at;
    }

    boolean isAtEnd() {
        return peek() == END;
    }

    /** The next character that is no comment; it stays the next. */
    int peek() {
        while (comments && isComment(look())) {
            if (look() == '#') {
                skipLine();
            } else {
                at++;
            }
        }
        return look();
    }

    private int look() {
        return at < characters.length ? characters[at] : END;
    }

    private static boolean isComment(int character) {
        return character == '#' || character == ' ' || (character >= '\t' && character <= '\r');
    }

    /** Skips a line. The characters that end it depend on a flag; where that could matter the pattern is refused. */
    private void skipLine() {
        for (; look() != END && look() != '\n'; at++) {
            boolean windows = look() == '\r' && at + 1 < characters.length && characters[at + 1] == '\n';
            if (!windows && "\0\r\u0085\u2028\u2029".indexOf(look()) >= 0) {
                throw refused("It has a comment with a character that may end its line");
            }
        }
    }

    /** Takes the character that was peeked. */
    void next() {
        peek();
        at++;
    }

    /** Takes the next character if it is this one. */
    boolean takes(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    /** Takes the very next character, be it in a comment. */
    int raw() {
        if (at >= characters.length) {
            throw refused(UNKNOWN);
        }
        return characters[at++];
    }

    /** Whether the very next character is this one. */
    boolean isRaw(char wanted) {
        return look() == wanted;
    }

    /** Refuses white space and comments where Java's reading of them is surprising. */
    void refuseComment() {
        if (comments && isComment(look())) {
            throw refused("It has white space or a comment where that is not supported");
        }
    }

    /** Takes the character after a backslash. */
    int escaped() {
        int letter = raw();
        if (WITH_REST.indexOf(letter) >= 0) {
            refuseComment();
        }
        return letter;
    }

    /** Takes these characters, or none. */
    void takesAll(String wanted) {
        int[] found = Arrays.copyOfRange(characters, at, Math.min(at + wanted.length(), characters.length));
        if (Arrays.equals(found, wanted.chars().toArray())) {
            at += found.length;
        }
    }

    void skipPast(char end) {
        int skipped;
        do {
            skipped = raw();
        } while (skipped != end);
    }

    /** Takes everything to {@code end}, and that. */
    String upTo(char end) {
        int from = at;
        skipPast(end);
        return new String(characters, from, at - from - 1);
    }

    void skipDigits() {
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
    }

    /** Takes what belongs to the escape beside its letter. */
    void skipRestOfEscape(int letter) {
        switch (letter) {
            case 'c' -> raw();
            case 'p', 'P', 'N' -> {
                if (raw() == '{') {
                    skipPast('}');
                }
            }
            case 'x' -> {
                if (takes('{')) {
                    skipPast('}');
                } else {
                    hexadecimal(2);
                }
            }
            case 'u' -> unit();
            case '0' -> octal();
            default -> {
                // The letter is all.
            }
        }
    }

    private int hexadecimal(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(raw(), 16);
            if (digit < 0) {
                throw refused(UNKNOWN);
            }
            value = 16 * value + digit;
        }
        return value;
    }

    /** One UTF-16 code unit, or two that make one character. */
    private void unit() {
        boolean high = Character.isHighSurrogate((char) hexadecimal(4));
        int after = at;
        if (high && isRaw('\\')) {
            at++;
            if (isRaw('u')) {
                at++;
                if (Character.isLowSurrogate((char) hexadecimal(4))) {
                    return;
                }
            }
        }
        at = after;
    }

    private void octal() {
        if (comments) {
            throw refused("It has an octal escape in a pattern with comments; write it as \\x");
        }
        int first = raw();
        for (int i = 1; i < (first <= '3' ? 3 : 2) && look() >= '0' && look() <= '7'; i++) {
            at++;
        }
    }
}

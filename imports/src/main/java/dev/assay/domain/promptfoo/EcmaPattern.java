package dev.assay.domain.promptfoo;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Patterns of ECMAScript, without flags, as patterns of Java that match the same. */
public final class EcmaPattern {

    private static final String SPACES =
            "\\t\\n\\x0B\\f\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF";
    private static final String LINE_ENDS = "\\n\\r\\u2028\\u2029";
    private static final Pattern COUNT = Pattern.compile("\\{\\d+(?:,\\d*)?}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*>");

    private final String source;
    private final StringBuilder out = new StringBuilder();
    private int at;

    private EcmaPattern(String source) {
        this.source = source;
    }

    /**
     * Translates {@code source}.
     *
     * @throws PatternSyntaxException when it is no pattern of ECMAScript, or has no counterpart
     */
    public static String translate(String source) {
        EcmaPattern pattern = new EcmaPattern(source);
        while (pattern.at < source.length()) {
            pattern.atom();
        }
        String translated = pattern.out.toString();
        Pattern.compile(translated);
        return translated;
    }

    private void atom() {
        char c = source.charAt(at);
        switch (c) {
            case '\\' -> escape(false);
            case '[' -> characterClass();
            case '.' -> put("[^" + LINE_ENDS + "]", 1);
            case '$' -> put("\\z", 1);
            case '{' -> brace();
            case '(' -> group();
            case '*', '+', '?' -> quantifier(1);
            default -> put(String.valueOf(c), 1);
        }
    }

    private void put(String text, int read) {
        out.append(text);
        at += read;
    }

    /** Java has quantifiers that never give back; ECMAScript has none. */
    private void quantifier(int length) {
        put(source.substring(at, at + length), length);
        if (at < source.length() && source.charAt(at) == '?') {
            put("?", 1);
        } else if (at < source.length() && source.charAt(at) == '+') {
            throw wrong("There is nothing that `+` repeats");
        }
    }

    /** A brace that holds no count is itself. */
    private void brace() {
        var count = COUNT.matcher(source).region(at, source.length());
        if (count.lookingAt()) {
            quantifier(count.end() - at);
        } else {
            put("\\{", 1);
        }
    }

    private void group() {
        if (!source.startsWith("(?", at)) {
            put("(", 1);
            return;
        }
        for (String kind : new String[] {"(?:", "(?=", "(?!", "(?<=", "(?<!"}) {
            if (source.startsWith(kind, at)) {
                put(kind, kind.length());
                return;
            }
        }
        if (source.startsWith("(?<", at)) {
            if (!NAME.matcher(source).region(at + 3, source.length()).lookingAt()) {
                throw wrong("The name of a group must be of ASCII letters and digits here");
            }
            put("(?<", 3);
            return;
        }
        throw wrong("A group of this kind has no counterpart");
    }

    private void characterClass() {
        if (source.startsWith("[]", at)) {
            put("(?!)", 2);
        } else if (source.startsWith("[^]", at)) {
            put("[\\s\\S]", 3);
        } else {
            put("[", 1);
            if (at < source.length() && source.charAt(at) == '^') {
                put("^", 1);
            }
            while (at < source.length() && source.charAt(at) != ']') {
                char c = source.charAt(at);
                if (c == '\\') {
                    escape(true);
                } else if (c == '[' || c == '&' || c == '^') {
                    put("\\" + c, 1);
                } else {
                    put(String.valueOf(c), 1);
                }
            }
            if (at == source.length()) {
                throw wrong("A class is not closed");
            }
            put("]", 1);
        }
    }

    private void escape(boolean inClass) {
        if (at + 1 == source.length()) {
            throw wrong("The pattern ends in a backslash");
        }
        char c = source.charAt(at + 1);
        switch (c) {
            case 's' -> put(inClass ? SPACES : "[" + SPACES + "]", 2);
            case 'S' -> put("[^" + SPACES + "]", 2);
            case 'v' -> put("\\x0B", 2);
            case '0' -> put("\\x00", 2);
            case 'b' -> put(inClass ? "\\x08" : "\\b", 2);
            case 'B', 'd', 'D', 'w', 'W', 'f', 'n', 'r', 't' -> put("\\" + c, 2);
            case 'x' -> hexadecimal(2);
            case 'u' -> hexadecimal(4);
            case 'c' -> put("\\c", 2);
            case 'k', 'p', 'P' -> named(c);
            default -> other(c, inClass);
        }
    }

    private void hexadecimal(int digits) {
        int end = at + 2 + digits;
        boolean isCode = end <= source.length() && source.substring(at + 2, end).matches("[0-9a-fA-F]+");
        put(isCode ? source.substring(at, end) : String.valueOf(source.charAt(at + 1)), isCode ? 2 + digits : 2);
    }

    private void named(char c) {
        boolean isName = c == 'k' && source.startsWith("<", at + 2);
        if (!isName) {
            throw wrong("`\\" + c + "` has no counterpart without the flag u");
        }
        put("\\k", 2);
    }

    /** A letter that ECMAScript gives no meaning stands for itself; Java may give it one. */
    private void other(char c, boolean inClass) {
        boolean isReference = c >= '1' && c <= '9';
        if (isReference && inClass) {
            throw wrong("A class cannot refer to a group");
        }
        boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        put(isLetter || c > 127 ? String.valueOf(c) : "\\" + c, 2);
    }

    private PatternSyntaxException wrong(String why) {
        return new PatternSyntaxException(why, source, at);
    }
}

package dev.assay.domain.similarity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words of a text: what stands between white space, as ECMAScript's {@code \s} has it. */
public final class Words {

    /** White space beyond U+007F. */
    private static final String BEYOND_ASCII =
            "\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";

    private Words() {}

    /** The words, in order; none of a blank text. */
    public static List<String> of(String text) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || isSpace(text.charAt(i))) {
                if (i > from) {
                    words.add(text.substring(from, i));
                }
                from = i + 1;
            }
        }
        return words;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\u00A0' && BEYOND_ASCII.indexOf(c) >= 0);
    }

    /** The number of words. */
    public static long count(String text) {
        return of(text).size();
    }

    /** The words in lower case. */
    static List<String> lowerCase(String text) {
        return of(text.toLowerCase(Locale.ROOT));
    }
}

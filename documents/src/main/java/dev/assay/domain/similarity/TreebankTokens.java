package dev.assay.domain.similarity;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tokens of English text, as the Penn Treebank cuts it (Marcus et al. 1993): punctuation stands alone, and so do the halves of
 * contractions, as in {@code do n't} and {@code can not}. Only the last full stop of a text is cut off.
 */
final class TreebankTokens {

    private static final Pattern QUOTE = Pattern.compile("``|''|\"");
    private static final Pattern LAST_FULL_STOP =
            Pattern.compile("([^.])(?<!\\b[A-Za-z]\\.[A-Za-z])\\.([\\])}>'\\s]*)$");
    private static final String INNER = "[\\p{L}\\p{N}\\p{M}_]";

    /** Replacements, in this order. */
    private static final List<Rule> PUNCTUATION = List.of(
            new Rule("...", Pattern.compile("\\.{3}"), " ... "),
            new Rule("[:,](?!\\p{Nd})", " $0 "),
            new Rule("[;@#$%&]", " $0 "));

    private static final List<Rule> REST = Stream.concat(
                    Stream.of(
                            new Rule("[?!]", " $0 "),
                            new Rule("[\\]\\[(){}<>]", " $0 "),
                            new Rule("--", Pattern.compile("--"), " -- "),
                            new Rule("^|$", " "),
                            new Rule("'", Pattern.compile("([^'])' "), "$1 ' "),
                            new Rule("'", Pattern.compile("'([smd]) "), " '$1 "),
                            new Rule("'", Pattern.compile("('ll|'re|'ve|n't) "), " $1 ")),
                    Stream.of(
                                    "can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n", "wan|na",
                                    "'t|is", "'t|was")
                            .map(TreebankTokens::halves))
            .toList();

    private TreebankTokens() {}

    /** @param text in lower case */
    static List<String> of(String text) {
        String line = String.join(" ", Words.of(text));
        String cut = applied(PUNCTUATION, quotes(line));
        cut = LAST_FULL_STOP.matcher(cut).replaceFirst("$1 .$2 ");
        return Words.of(applied(REST, cut));
    }

    private static String applied(List<Rule> rules, String text) {
        String applied = text;
        for (Rule rule : rules) {
            if (applied.contains(rule.needed)) {
                applied = rule.pattern.matcher(applied).replaceAll(rule.replacement);
            }
        }
        return applied;
    }

    private static Rule halves(String both) {
        int cut = both.indexOf('|');
        String first = both.substring(0, cut);
        String second = both.substring(cut + 1);
        String end = both.equals("wan|na") ? "(?= )" : "(?!" + INNER + ")";
        Pattern pattern = Pattern.compile("(?<!" + INNER + ")(" + first + ")(" + second + ")" + end);
        return new Rule(first + second, pattern, " $1 $2 ");
    }

    /** Quotation marks that open become {@code ``}, those that close {@code ''}. */
    private static String quotes(String line) {
        StringBuilder result = new StringBuilder(line.length());
        Matcher matcher = QUOTE.matcher(line);
        boolean isOpen = false;
        while (matcher.find()) {
            isOpen = !isOpen && opens(line, matcher);
            matcher.appendReplacement(result, isOpen ? " `` " : " '' ");
        }
        return matcher.appendTail(result).toString();
    }

    private static boolean opens(String line, Matcher quote) {
        if (quote.group().equals("``") || quote.start() == 0) {
            return !quote.group().equals("''");
        }
        char before = line.charAt(quote.start() - 1);
        boolean isAfterSpace = before == ' ' || "([{<".indexOf(before) >= 0;
        boolean isAfterPunctuation = Pattern.matches("[\\p{P}&&[^.!?]]", String.valueOf(before));
        return quote.group().equals("\"") && (isAfterSpace || (isAfterPunctuation && quote.end() < line.length()));
    }

    /** @param needed what a text must contain for the pattern to match; looking for it first is much faster */
    private record Rule(String needed, Pattern pattern, String replacement) {

        Rule(String pattern, String replacement) {
            this("", Pattern.compile(pattern), replacement);
        }
    }
}

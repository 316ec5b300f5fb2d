package dev.assay.domain.markup;

import dev.assay.domain.pattern.GuardedPattern;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Tag;

/** Texts that are HTML, or hold some. A parser of HTML refuses nothing, so this checks what people mean by it. */
public final class HtmlText {

    private static final Set<String> ALWAYS_THERE = Set.of("html", "head", "body");

    private static final String OPENING = "<[a-zA-Z][a-zA-Z0-9-]*(?:\\s[^<>]*)?/?>";
    private static final String CLOSING = "</[a-zA-Z][a-zA-Z0-9-]*\\s*>";

    /** Signs of HTML with their points; two points are enough. */
    private static final List<Sign> SIGNS = List.of(
            new Sign("<[a-zA-Z][a-zA-Z0-9-]*(?:\\s[^<>]*)?/>", 1),
            new Sign("&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);", 1),
            new Sign("<!(?i:doctype)\\s+(?i:html)", 2),
            new Sign("<!--", 1),
            new Sign("\\s[a-zA-Z-]+=\\s*(?:\"[^\"]*\"|'[^']*')", 1),
            new Sign(
                    "<(?i:html|head|body|div|span|p|a|img|h[1-6]|ul|ol|li|table|tr|td|th|form|input|button|script|style|link|meta|br|hr)\\b",
                    2));

    private record Sign(String pattern, int points) {}

    private HtmlText() {}

    /**
     * Whether the whole of {@code text} is HTML: at least one element that HTML knows, and no text beside the elements of its top
     * level.
     */
    public static boolean isWhole(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.regionMatches(true, 0, "<?xml", 0, 5)) {
            return false;
        }
        String lower = trimmed.toLowerCase(Locale.ROOT);
        Document document = Jsoup.parse(trimmed);
        boolean hasBody = isWritten("body", lower);
        return (hasBody || document.body().ownText().isBlank())
                && document.getAllElements().stream().anyMatch(element -> isElement(element, lower));
    }

    /**
     * Whether {@code text} holds HTML, found by signs such as pairs of tags, entities and attributes.
     *
     * @throws GuardedPattern.TooLongException when that takes too long
     */
    public static boolean isIn(String text) {
        if (text.indexOf('<') < 0 && text.indexOf('&') < 0) {
            // All that is left is an attribute, which is too little.
            return false;
        }
        boolean opens = has(text, OPENING);
        boolean closes = has(text, CLOSING);
        int points = (opens ? 1 : 0) + (closes ? 1 : 0);
        for (Sign sign : SIGNS) {
            if (points >= 2) {
                return true;
            }
            points += has(text, sign.pattern) ? sign.points : 0;
        }
        return points >= 2;
    }

    private static boolean has(String text, String pattern) {
        return GuardedPattern.compile(pattern).find(text);
    }

    private static boolean isElement(Element element, String lower) {
        String name = element.normalName();
        return ALWAYS_THERE.contains(name) ? isWritten(name, lower) : Tag.isKnownTag(name) || name.contains("-");
    }

    private static boolean isWritten(String name, String lower) {
        for (int at = lower.indexOf("<" + name); at >= 0; at = lower.indexOf("<" + name, at + 1)) {
            int after = at + name.length() + 1;
            if (after < lower.length()
                    && (Character.isWhitespace(lower.charAt(after)) || "/>".indexOf(lower.charAt(after)) >= 0)) {
                return true;
            }
        }
        return false;
    }
}

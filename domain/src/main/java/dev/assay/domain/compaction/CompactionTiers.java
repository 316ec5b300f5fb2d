package dev.assay.domain.compaction;

import dev.assay.domain.text.Utf8;
import dev.assay.domain.text.WhiteSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The three cuts that make a text shorter for a judge, from the gentlest to the hardest (docs/judging.md). */
public final class CompactionTiers {

    private static final Pattern BLANK_LINE = Pattern.compile("\n\n|\r\n\r\n");
    private static final String CUT = "...";

    private CompactionTiers() {}

    /**
     * Tier 1: the last {@code maxLines} lines, joined with LF; a text with no more lines is returned as it is, byte for byte.
     *
     * <p>A line ends at LF or CRLF. A final line break opens no line, and a CR alone breaks none.
     *
     * @param maxLines at least 0
     */
    public static String tailLines(String text, int maxLines) {
        List<String> lines = lines(text);
        return lines.size() <= maxLines
                ? text
                : String.join("\n", lines.subList(lines.size() - maxLines, lines.size()));
    }

    /**
     * Tier 2: the first and the last paragraph with {@code ...} between them.
     *
     * <p>Paragraphs stand between blank lines (LF LF or CRLF CRLF), are trimmed of white space, and blank ones do not count.
     * A text with a single paragraph becomes that paragraph; one with none is returned as it is.
     */
    public static String firstAndLastParagraph(String text) {
        List<String> paragraphs = BLANK_LINE
                .splitAsStream(text)
                .map(WhiteSpace::trim)
                .filter(paragraph -> !paragraph.isEmpty())
                .toList();
        return switch (paragraphs.size()) {
            case 0 -> text;
            case 1 -> paragraphs.getFirst();
            default -> paragraphs.getFirst() + "\n\n" + CUT + "\n\n" + paragraphs.getLast();
        };
    }

    /**
     * Tier 3: the first {@code maxBytes} − 3 bytes in UTF-8 followed by {@code ...}; a text of at most {@code maxBytes} bytes
     * is returned as it is. A code point is never split: the cut moves back to its beginning.
     *
     * @param maxBytes at least 0; below 3 the result is still {@code ...}
     */
    public static String limit(String text, long maxBytes) {
        if (Utf8.length(text) <= maxBytes) {
            return text;
        }
        return Utf8.first(text, maxBytes - CUT.length()) + CUT;
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int lf = text.indexOf('\n'); lf >= 0; lf = text.indexOf('\n', from)) {
            boolean crlf = lf > from && text.charAt(lf - 1) == '\r';
            lines.add(text.substring(from, crlf ? lf - 1 : lf));
            from = lf + 1;
        }
        if (from < text.length()) {
            lines.add(text.substring(from));
        }
        return lines;
    }
}

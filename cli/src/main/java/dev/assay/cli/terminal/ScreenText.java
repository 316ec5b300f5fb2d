package dev.assay.cli.terminal;

import dev.assay.domain.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/** Texts as a terminal shows them: in columns, of which a wide character takes two and a combining one none. */
public final class ScreenText {

    private static final String CUT = "…";

    /** More characters than any line shows: a text of combining ones alone would never be wide. */
    private static final int MOST = 4_000;

    /** Printable characters before it take one column each. */
    private static final int FIRST_COMBINING = 0x300;

    private ScreenText() {}

    /** The text on one line, without characters that move the cursor or that terminals draw in widths of their own. */
    public static String plain(String text) {
        String start = text.length() > MOST ? text.substring(0, MOST) : text;
        StringBuilder plain = new StringBuilder(start.length());
        PrintableText.of(start).codePoints().forEach(point -> {
            switch (Character.getType(point)) {
                case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> plain.append(' ');
                case Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> plain.append('?');
                case Character.FORMAT -> {}
                default -> {
                    if (!isSelector(point)) {
                        plain.appendCodePoint(point);
                    }
                }
            }
        });
        return plain.toString();
    }

    /** Selectors of variation make some characters wide, in some terminals. */
    private static boolean isSelector(int point) {
        return (point >= 0xFE00 && point <= 0xFE0F) || (point >= 0xE0100 && point <= 0xE01EF);
    }

    /** The columns that the text takes. */
    public static int width(String text) {
        return text.codePoints().map(ScreenText::width).sum();
    }

    private static int width(int point) {
        // Commands that draw nothing need no tables of widths.
        return point < FIRST_COMBINING ? 1 : Math.max(0, WCWidth.wcwidth(point));
    }

    /** The text, cut with {@code …} where it is wider than {@code columns}. */
    public static String fit(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        return columns < 1 ? "" : text.substring(0, prefix(text, columns - 1)) + CUT;
    }

    /** The number of chars of the longest beginning that takes at most {@code columns}. */
    private static int prefix(String text, int columns) {
        int taken = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            taken += width(point);
            if (taken > columns) {
                return end;
            }
            end += Character.charCount(point);
        }
        return end;
    }

    /** The parts side by side, on as many lines as it takes. A part is never broken; one that is too wide is cut. */
    public static List<String> flow(List<String> parts, String gap, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            if (!line.isEmpty() && width(line.toString()) + width(gap) + width(part) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : gap).append(fit(part, columns));
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }

    /** The words of a sentence, on at most {@code most} lines; the last one is cut where there are more. */
    public static List<String> wrap(String sentence, int columns, int most) {
        List<String> lines = flow(List.of(sentence.strip().split(" +")), " ", columns);
        if (lines.size() <= most) {
            return lines;
        }
        String rest = String.join(" ", lines.subList(most - 1, lines.size()));
        List<String> shown = new ArrayList<>(lines.subList(0, most - 1));
        shown.add(fit(rest, columns));
        return shown;
    }
}

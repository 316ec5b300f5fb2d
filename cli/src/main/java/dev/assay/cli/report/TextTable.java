package dev.assay.cli.report;

import dev.assay.cli.terminal.ScreenText;
import dev.assay.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Columns of text, the first on the left and the others on the right of their width. Where a terminal is too narrow, the gaps and
 * then the names in the first column get shorter; at last each row becomes a list.
 */
public final class TextTable {

    private static final int WIDEST_GAP = 3;

    /** Names of fewer columns say nothing. */
    private static final int SHORTEST_NAME = 8;

    private static final String INDENT = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these headings. */
    public TextTable(List<String> headings) {
        rows.add(List.copyOf(headings));
    }

    /** Adds a row with a cell for each heading. */
    public void row(List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException("Row has " + cells.size() + " cells, the table "
                    + rows.getFirst().size() + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /** The lines as the terminal takes them, each with its line break. */
    public String text() {
        return String.join(
                "", lines(Terminal.columns()).stream().map(line -> line + "\n").toList());
    }

    /** The lines, of at most so many columns. */
    public List<String> lines(int columns) {
        int[] widths = widths();
        int others = IntStream.of(widths).skip(1).sum();
        int gaps = widths.length - 1;
        for (int gap = WIDEST_GAP; gap > 0; gap--) {
            if ((long) widths[0] + others + (long) gap * gaps <= columns) {
                return aligned(widths, gap);
            }
        }
        int left = columns - others - gaps;
        if (left < SHORTEST_NAME) {
            return stacked(columns);
        }
        widths[0] = left;
        return aligned(widths, 1);
    }

    private int[] widths() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], ScreenText.width(row.get(i)));
            }
        }
        return widths;
    }

    private List<String> aligned(int[] widths, int gap) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = ScreenText.fit(row.get(i), widths[i]);
                String padding = " ".repeat(widths[i] - ScreenText.width(cell));
                line.append(i == 0 ? cell + padding : " ".repeat(gap) + padding + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private List<String> stacked(int columns) {
        List<String> headings = rows.getFirst();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            lines.add(ScreenText.fit(row.getFirst(), columns));
            List<String> parts = IntStream.range(1, row.size())
                    .mapToObj(i -> headings.get(i) + " " + row.get(i))
                    .toList();
            ScreenText.flow(parts, INDENT, Math.max(1, columns - INDENT.length()))
                    .forEach(line -> lines.add(INDENT + line));
        }
        return lines;
    }
}

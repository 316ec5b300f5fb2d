package dev.assay.cli.report;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, the first on the left and the others on the right of their width. */
public final class TextTable {

    private static final String GAP = "   ";

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

    /** The lines, each with its line break. */
    public String text() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - width(row.get(i)));
                line.append(i == 0 ? row.get(i) + padding : GAP + padding + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}

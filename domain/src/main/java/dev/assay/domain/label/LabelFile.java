package dev.assay.domain.label;

import java.util.List;

/**
 * The labels of a file.
 *
 * @param lines those that are decided, in order
 * @param open lines without a label
 * @param ignored columns that say nothing of labels, in order
 */
public record LabelFile(List<LabelLine> lines, int open, List<String> ignored) {

    public LabelFile {
        lines = List.copyOf(lines);
        ignored = List.copyOf(ignored);
    }

    /** Where a value stands in a file, for messages. */
    public static String place(long line, String column) {
        return "line " + line + ", " + column;
    }
}

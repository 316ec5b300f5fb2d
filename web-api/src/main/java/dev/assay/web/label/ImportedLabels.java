package dev.assay.web.label;

import java.util.List;

/**
 * What came of a file of labels.
 *
 * @param lines that are decided
 * @param stored labels that are new
 * @param unchanged lines that say what was in force already
 * @param superseded labels of before that a new one replaced
 * @param open lines without a label
 * @param errors always 0: a file with errors is refused whole
 * @param notes what was left out, as sentences
 */
record ImportedLabels(int lines, int stored, int unchanged, int superseded, int open, int errors, List<String> notes) {

    ImportedLabels {
        notes = List.copyOf(notes);
    }
}

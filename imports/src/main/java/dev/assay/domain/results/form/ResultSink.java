package dev.assay.domain.results.form;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Takes the lines of the neutral form. */
@FunctionalInterface
public interface ResultSink {

    /** Takes a line: a case before its first use, or an outcome. */
    void line(ObjectNode line);
}

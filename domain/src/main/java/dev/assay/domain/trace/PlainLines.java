package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Output whose lines have no known meaning: the whole of it is the answer. */
record PlainLines(TraceLog log, String text) implements AgentLines {

    @Override
    public void line(ObjectNode json) {
        log.rawJson(json);
    }
}

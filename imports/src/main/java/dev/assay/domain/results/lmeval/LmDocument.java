package dev.assay.domain.results.lmeval;

import dev.assay.domain.results.source.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;

/** A document of a task: a line for each filter, in the order of the file. */
record LmDocument(String task, String id, Map<String, JsonText> lines) {

    LmDocument(String task, String id) {
        this(task, id, new LinkedHashMap<>());
    }
}

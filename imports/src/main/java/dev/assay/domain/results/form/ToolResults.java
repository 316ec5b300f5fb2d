package dev.assay.domain.results.form;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results of a tool that were looked through once: what is said of them is known, and they can be written. */
public interface ToolResults {

    /** What is said of them before they are sent, without their files. */
    ObjectNode header();

    /** Writes them. */
    void write(ResultSink sink);

    /** Why the tool's run is not complete, as sentences, after they were written; null: it is. */
    @Nullable
    String ended();

    /** What a user must know, as sentences, after they were written. */
    List<String> warnings();
}

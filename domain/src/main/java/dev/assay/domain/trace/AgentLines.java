package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The reader of the JSON lines of one program, in order. */
interface AgentLines {

    /** Reads the next line. */
    void line(ObjectNode json);

    /** The answer; empty: none was given. */
    String text();

    /** Tokens that were used; null: not known. */
    default @Nullable Usage usage() {
        return null;
    }

    /** The cost in US dollars; null: not known. */
    default @Nullable BigDecimal costUsd() {
        return null;
    }

    /** The number at {@code field}, at least 0; 0 where there is none. */
    static long count(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.canConvertToLong() ? Math.max(0, value.longValue()) : 0;
    }
}

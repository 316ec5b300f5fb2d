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

    /** Tokens that were used, as far as the program says. */
    default Usage usage() {
        return Usage.UNKNOWN;
    }

    /** The cost in US dollars; null: not known. */
    default @Nullable BigDecimal costUsd() {
        return null;
    }

    /** The number at {@code field}, at least 0; null: there is none. */
    static @Nullable Long count(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0
                ? (Long) value.longValue()
                : null;
    }

    /** {@code count}, or 0 where it is not reported. */
    static long orNone(@Nullable Long count) {
        return count == null ? 0 : count;
    }
}

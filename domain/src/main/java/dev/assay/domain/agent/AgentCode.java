package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.code.Script;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Own code that answers.
 *
 * @param script a function or a class of a file
 * @param config given to the code as its settings; null: none
 * @param maxCostUsd the most that one call costs in US dollars, which the budget reserves; null: unknown
 */
public record AgentCode(
        Script script, @Nullable JsonNode config, @Nullable BigDecimal maxCostUsd) {

    /** Its file, and the function or class that is named, for people. */
    public String name() {
        String file = Objects.requireNonNullElse(script.file(), "");
        return script.function() == null ? file : file + ":" + script.function();
    }
}

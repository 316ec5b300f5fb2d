package dev.assay.domain.statistics.reference;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.scoring.FlipTally;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What two evaluators say of the same answers. */
public final class ScoringFunctions {

    public static final Map<String, Reference> ALL = Map.of("rescore", ScoringFunctions::rescore);

    private ScoringFunctions() {}

    /** Rows as [case, before, after]; null: unknown. */
    private static Object rescore(JsonNode input) {
        Map<String, Integer> cases = new HashMap<>();
        FlipTally tally = new FlipTally();
        for (JsonNode row : input.get("rows")) {
            tally.add(
                    cases.computeIfAbsent(row.get(0).asText(), _ -> cases.size()),
                    verdict(row.get(1)),
                    verdict(row.get(2)));
        }
        return tally.statistics();
    }

    private static @Nullable Boolean verdict(JsonNode said) {
        return said.isNull() ? null : (Boolean) said.asBoolean();
    }
}

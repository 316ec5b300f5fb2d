package dev.assay.domain.suite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The targets of a case as one text of its metadata: a single one as it is, several as a JSON list of texts. */
public final class TargetTexts {

    private TargetTexts() {}

    /** The text that stands for {@code targets}, at least one. */
    public static String write(List<String> targets) {
        boolean isPlain = targets.size() == 1 && read(targets.getFirst()).equals(targets);
        return isPlain ? targets.getFirst() : Json.write(targets);
    }

    /** The targets that {@code text} stands for, at least one. */
    public static List<String> read(String text) {
        if (!text.startsWith("[")) {
            return List.of(text);
        }
        try {
            JsonNode list = Json.mapper().readTree(text);
            List<String> targets = new ArrayList<>();
            list.forEach(item -> targets.add(item.asText()));
            boolean isList = list.isArray() && !list.isEmpty() && isAllTexts(list);
            return isList ? List.copyOf(targets) : List.of(text);
        } catch (JsonProcessingException e) {
            // A target that only begins like a list.
            return List.of(text);
        }
    }

    private static boolean isAllTexts(JsonNode list) {
        for (JsonNode item : list) {
            if (!item.isTextual()) {
                return false;
            }
        }
        return true;
    }
}

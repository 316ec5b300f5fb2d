package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.NamedScore;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object {@code {pass, score, reason}} that own code returned, and what it says besides.
 *
 * @param named scores under names of their own, at most {@value #MOST}
 * @param parts of which it says that it is made, at most {@value #MOST} with those of parts
 */
record GradedReply(boolean pass, double score, String reason, Map<String, NamedScore> named, List<GradedReply> parts) {

    private static final int MOST = 100;
    private static final int LONGEST_NAME = 128;

    /** Names in Python's style, and those that they stand for. */
    private static final Map<String, String> SNAKE =
            Map.of("pass", "pass_", "namedScores", "named_scores", "componentResults", "component_results");

    /** Reads one; null: it is none. */
    static @Nullable GradedReply read(JsonNode value, boolean isLenient) {
        return new Reader(isLenient).read(value);
    }

    private static final class Reader {
        private final boolean isLenient;
        private int parts;

        private Reader(boolean isLenient) {
            this.isLenient = isLenient;
        }

        /** The field; null: it is not there. */
        private @Nullable JsonNode field(JsonNode value, String name) {
            JsonNode found = value.get(name);
            String other = SNAKE.get(name);
            return found == null && isLenient && other != null ? value.get(other) : found;
        }

        private @Nullable GradedReply read(JsonNode value) {
            JsonNode pass = field(value, "pass");
            JsonNode score = value.get("score");
            JsonNode reason = value.get("reason");
            if (pass == null || score == null || reason == null) {
                return null;
            }
            return pass.isBoolean() && score.isNumber() && reason.isTextual() && areOfTheirTypes(value)
                    ? new GradedReply(
                            pass.booleanValue(), score.doubleValue(), reason.textValue(), named(value), parts(value))
                    : null;
        }

        private boolean areOfTheirTypes(JsonNode value) {
            JsonNode named = field(value, "namedScores");
            JsonNode weights = value.get("namedScoreWeights");
            JsonNode components = field(value, "componentResults");
            JsonNode comment = value.get("comment");
            return (named == null || named.isContainerNode() || named.isNull())
                    && (weights == null || weights.isContainerNode() || weights.isNull())
                    && (components == null || components.isArray())
                    && (comment == null || comment.isTextual());
        }

        private Map<String, NamedScore> named(JsonNode value) {
            Map<String, NamedScore> named = new LinkedHashMap<>();
            JsonNode scores = field(value, "namedScores");
            if (scores != null) {
                scores.properties().forEach(score -> {
                    JsonNode weight = value.path("namedScoreWeights").path(score.getKey());
                    double of = weight.isNumber() && weight.doubleValue() >= 0 ? weight.doubleValue() : 1;
                    double number =
                            score.getValue().isNumber() ? score.getValue().doubleValue() : Double.NaN;
                    if (Double.isFinite(number) && Double.isFinite(of) && named.size() < MOST) {
                        String name = Excerpt.first(StorableText.of(score.getKey()), LONGEST_NAME);
                        named.putIfAbsent(name, new NamedScore(number, of));
                    }
                });
            }
            return named;
        }

        private List<GradedReply> parts(JsonNode value) {
            List<GradedReply> read = new ArrayList<>();
            JsonNode components = field(value, "componentResults");
            if (components != null) {
                for (JsonNode component : components) {
                    if (parts == MOST) {
                        break;
                    }
                    parts++;
                    GradedReply part = read(component);
                    if (part != null) {
                        read.add(part);
                    }
                }
            }
            return read;
        }
    }
}

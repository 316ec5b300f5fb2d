package dev.assay.domain.hypothesis;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.hypothesis.Reading.Evaluated;
import dev.assay.domain.hypothesis.Reading.Fault;
import dev.assay.domain.hypothesis.Reading.Invalid;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.CodeBlock;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.Reasoning;
import dev.assay.domain.text.StorableText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The readings of a reply, whatever it says: each hypothesis that was asked about has exactly one.
 *
 * @param readings by id, in the order asked
 * @param unknownIds ids in the reply that were not asked about, each once
 */
public record ChallengeReply(Map<String, Reading> readings, List<String> unknownIds) {

    private static final ObjectReader JSON =
            Json.mapper().readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    public ChallengeReply {
        readings = Collections.unmodifiableMap(new LinkedHashMap<>(readings));
        unknownIds = List.copyOf(unknownIds);
    }

    /**
     * Reads the replies to one batch: the first one, and the one to the repair. Scores of the first one stand.
     *
     * @param replies in the order in which they came; empty: nothing was answered, and nothing is read
     */
    public static ChallengeReply read(Rubric rubric, List<String> ids, List<String> replies) {
        if (replies.isEmpty()) {
            return new ChallengeReply(Map.of(), List.of());
        }
        Map<String, Reading> readings = new LinkedHashMap<>();
        SequencedSet<String> unknown = new LinkedHashSet<>();
        List<String> asked = ids;
        for (String text : replies) {
            ChallengeReply reply = read(rubric, asked, text);
            readings.putAll(reply.readings);
            unknown.addAll(reply.unknownIds);
            asked = invalid(readings);
        }
        unknown.removeAll(ids);
        return new ChallengeReply(readings, List.copyOf(unknown));
    }

    /** The ids that are not scored, in the order asked: a repair asks for them again. */
    public List<String> invalid() {
        return invalid(readings);
    }

    private static List<String> invalid(Map<String, Reading> readings) {
        return readings.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Invalid)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Reads one reply behind its reasoning. */
    static ChallengeReply read(Rubric rubric, List<String> ids, String reply) {
        JsonNode document;
        try {
            document = JSON.readTree(CodeBlock.unwrapped(Reasoning.behind(reply).orElse(reply)));
        } catch (JsonProcessingException e) {
            return notJson(ids, "The reply is not valid JSON" + where(e.getLocation()) + ".");
        }
        JsonNode evaluations = document.path("evaluations");
        if (!evaluations.isArray()) {
            return notJson(ids, "The reply is no JSON object with a list `evaluations`.");
        }
        Map<String, List<JsonNode>> found = new LinkedHashMap<>();
        for (JsonNode evaluation : evaluations) {
            if (evaluation.path("id").isValueNode() && !evaluation.path("id").isNull()) {
                found.computeIfAbsent(evaluation.path("id").asText(), _ -> new ArrayList<>())
                        .add(evaluation);
            }
        }
        Map<String, Reading> readings = new LinkedHashMap<>();
        ids.forEach(id -> readings.put(id, reading(rubric, found.getOrDefault(id, List.of()))));
        found.keySet().removeAll(ids);
        return new ChallengeReply(
                readings,
                found.keySet().stream().map(StorableText::of).map(Excerpt::of).toList());
    }

    /** @param location null: the reply is nested too deep, or holds a number that is too long */
    private static String where(@Nullable JsonLocation location) {
        return location == null
                ? " that can be read"
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static ChallengeReply notJson(List<String> ids, String problem) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        ids.forEach(id -> readings.put(id, new Invalid(Fault.NOT_JSON, problem)));
        return new ChallengeReply(readings, List.of());
    }

    private static Reading reading(Rubric rubric, List<JsonNode> evaluations) {
        if (evaluations.isEmpty()) {
            return new Invalid(Fault.MISSING, "The reply has no evaluation of it.");
        }
        if (evaluations.size() > 1) {
            return new Invalid(Fault.DUPLICATE, "The reply has " + evaluations.size() + " evaluations of it.");
        }
        JsonNode evaluation = evaluations.getFirst();
        Map<String, BigDecimal> scores = new LinkedHashMap<>();
        for (Rubric.Dimension dimension : rubric.dimensions()) {
            JsonNode score = evaluation.path("scores").path(dimension.name());
            Invalid wrong = wrong(rubric.scale(), dimension.name(), score);
            if (wrong != null) {
                return wrong;
            }
            scores.put(dimension.name(), JsonNumbers.plain(score.decimalValue()));
        }
        JsonNode verdict = evaluation.path("verdict");
        return new Evaluated(
                scores, verdict.isTextual() ? HypothesisVerdict.of(verdict.textValue()) : null, reasons(evaluation));
    }

    private static @Nullable Invalid wrong(Rubric.Scale scale, String name, JsonNode score) {
        if (score.isMissingNode()) {
            return new Invalid(Fault.SCORE_MISSING, "The score of `" + name + "` is missing.");
        }
        if (!score.isNumber()) {
            return new Invalid(Fault.SCORE_NOT_A_NUMBER, "The score of `" + name + "` is not a number.");
        }
        if (!JsonNumbers.isReadable(score) || !scale.holds(score.decimalValue())) {
            return new Invalid(
                    Fault.SCORE_OUT_OF_RANGE,
                    "The score of `" + name + "` is not from " + scale.min().toPlainString() + " to "
                            + scale.max().toPlainString() + ".");
        }
        return null;
    }

    /** A list of texts, as it was asked for; models write a single text, too. */
    private static List<String> reasons(JsonNode evaluation) {
        JsonNode written = evaluation.path("reasons");
        List<String> reasons = new ArrayList<>();
        (written.isTextual() ? List.of(written) : written).forEach(reason -> {
            if (reason.isTextual()) {
                reasons.add(StorableText.of(reason.textValue()));
            }
        });
        return reasons;
    }
}

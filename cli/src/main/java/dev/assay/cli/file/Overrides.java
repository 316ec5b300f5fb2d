package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.campaignfile.ReuseReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.reducer.Reducer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The changes that options of the command line make to a campaign file. A null leaves the file's value.
 *
 * @param maxOutage how long the campaign waits for a provider that is down, as a duration of ISO 8601
 * @param passThreshold share of a case's trials that must pass
 * @param suiteThreshold share of cases that must pass
 * @param caseIds only these cases; empty: all
 * @param metadata what is noted beside what the file says, or instead of it
 * @param tags only cases with one of these tags; empty: all
 * @param reuse which stored answers are taken; a JSON null: none
 * @param delivered how all branches are asked
 */
public record Overrides(
        @Nullable Integer trials,
        @Nullable Integer maxConcurrent,
        @Nullable String maxOutage,
        @Nullable Double passThreshold,
        @Nullable Double suiteThreshold,
        Map<String, String> metadata,
        List<String> caseIds,
        List<String> tags,
        @Nullable JsonNode reuse,
        Delivered delivered) {

    /** Nothing is changed. */
    public static final Overrides NONE = new Overrides(
            null, null, null, null, null, Map.of(), List.of(), List.of(), null, new Delivered(null, null));

    public Overrides {
        metadata = Map.copyOf(metadata);
        caseIds = List.copyOf(caseIds);
        tags = List.copyOf(tags);
    }

    /**
     * Reads the value of an option.
     *
     * @param text null: the option is not given
     * @throws AssayException INVALID_INPUT, with the code EVAL_INVALID_THRESHOLD, when it is no number from 0 to 1
     */
    public static @Nullable Double share(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            double share = Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // Neither is it a number.
        }
        throw new AssayException(
                ErrorCode.INVALID_INPUT,
                "EVAL_INVALID_THRESHOLD: " + option + " must be a number from 0 to 1, but is " + text);
    }

    /** How all that is asked is asked; null: as the file says. */
    public record Delivered(@Nullable String way, @Nullable String deadline) {

        /** What a file says of its branches, judges and graders gives way. */
        private void apply(ObjectNode document) {
            set(document, DeliveryReader.FIELD, way);
            set(document, DeliveryReader.DEADLINE, deadline);
            if (way != null && deadline == null && way.equals(Delivery.LIVE.word())) {
                remove(document, DeliveryReader.DEADLINE);
            }
        }

        private static void set(ObjectNode document, String field, @Nullable String value) {
            if (value != null) {
                remove(document, field);
                document.put(field, value);
            }
        }

        private static void remove(ObjectNode document, String field) {
            document.remove(field);
            JsonNode strategy = document.path("strategy");
            JsonNode suite = document.path("suite");
            Stream.of(
                            document.path("branches").valueStream(),
                            strategy.path("panel").valueStream(),
                            Stream.of(strategy.path("judge"), document.path("grader")),
                            Stream.of(document, suite)
                                    .flatMap(cases -> Stream.concat(
                                            Stream.of(cases),
                                            cases.path("cases").valueStream()))
                                    .flatMap(Delivered::graders))
                    .flatMap(nodes -> nodes)
                    .forEach(node -> {
                        if (node instanceof ObjectNode fields) {
                            fields.remove(field);
                        }
                    });
        }

        /** The graders of the checks of a case, a group or a file. */
        private static Stream<JsonNode> graders(JsonNode of) {
            return of.path("checks")
                    .valueStream()
                    .flatMap(check -> Stream.concat(Stream.of(check.path("grader")), graders(check)));
        }
    }

    /**
     * Changes {@code document}.
     *
     * @throws AssayException INVALID_INPUT when {@code --case} or {@code --tag} leaves no case, or names an unknown case
     */
    public void apply(ObjectNode document) {
        if (trials != null) {
            document.put("trials", trials);
        }
        if (maxConcurrent != null) {
            put(document, "limits", "maxConcurrent", IntNode.valueOf(maxConcurrent));
        }
        if (maxOutage != null) {
            put(document, "limits", "maxOutage", TextNode.valueOf(maxOutage));
        }
        if (passThreshold != null) {
            put(document, "gate", "passThreshold", DoubleNode.valueOf(passThreshold));
        }
        if (suiteThreshold != null) {
            put(document, "gate", "suiteThreshold", DoubleNode.valueOf(suiteThreshold));
        }
        if (reuse != null) {
            document.set(ReuseReader.FIELD, reuse);
        }
        delivered.apply(document);
        new TreeMap<>(metadata).forEach((name, value) -> put(document, "metadata", name, TextNode.valueOf(value)));
        if (!caseIds.isEmpty() || !tags.isEmpty()) {
            JsonNode suite = document.path("suite");
            select(suite instanceof ObjectNode inlined ? inlined : document);
        }
    }

    /**
     * Takes out of {@code document} the reducers that {@code --trials} leaves without enough trials.
     *
     * @return their names
     */
    public List<String> leaveOutReducers(ObjectNode document) {
        List<String> left = new ArrayList<>();
        if (trials == null || !(document.path("reducers") instanceof ArrayNode names)) {
            return left;
        }
        names.removeIf(name -> {
            Reducer reducer = Reducer.named(name.asText());
            if (reducer == null || reducer.leastTrials() <= trials) {
                return false;
            }
            left.add(reducer.name());
            return true;
        });
        return left;
    }

    /**
     * Lets a gate without a share of cases and without another rule ask for every case. A user who runs a file by hand wants to
     * know each failed case. The submission carries it, so that the server decides as the command exits.
     */
    public static void askForEveryCase(ObjectNode document) {
        JsonNode gate = document.path("gate");
        boolean asks = Stream.of("suiteThreshold", "rule", "baseline").anyMatch(gate::hasNonNull);
        if (!asks) {
            put(document, "gate", "suiteThreshold", IntNode.valueOf(1));
        }
    }

    /** Puts a value. Where something else than an object stands under {@code section} it stays, and validation reports it. */
    private static void put(ObjectNode document, String section, String name, JsonNode value) {
        JsonNode there = document.path(section);
        if (there.isMissingNode() || there.isNull()) {
            document.putObject(section).set(name, value);
        } else if (there instanceof ObjectNode object) {
            object.set(name, value);
        }
    }

    private void select(ObjectNode suite) {
        if (!(suite.path("cases") instanceof ArrayNode cases)) {
            return;
        }
        Set<String> unknown = new TreeSet<>(caseIds);
        cases.forEach(one -> unknown.remove(one.path("id").asText()));
        if (!unknown.isEmpty()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "--case " + String.join(", ", unknown) + ": the suite has no such case");
        }
        ArrayNode selected = Json.mapper().createArrayNode();
        cases.forEach(one -> {
            if (isSelected(one)) {
                selected.add(one);
            }
        });
        if (selected.isEmpty() && !cases.isEmpty()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "No case has the tag " + String.join(" or ", tags) + " that --tag asks for");
        }
        suite.set("cases", selected);
    }

    private boolean isSelected(JsonNode one) {
        boolean byId = caseIds.isEmpty() || caseIds.contains(one.path("id").asText());
        boolean byTag = tags.isEmpty()
                || StreamSupport.stream(one.path("tags").spliterator(), false)
                        .anyMatch(tag -> tags.contains(tag.asText()));
        return byId && byTag;
    }
}

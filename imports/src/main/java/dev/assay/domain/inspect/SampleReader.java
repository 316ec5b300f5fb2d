package dev.assay.domain.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.LostRule;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The reader of one sample: {@code input}, {@code target} or {@code ideal}, {@code choices}, {@code id} and {@code metadata}. */
final class SampleReader {

    private static final Set<String> KNOWN = Set.of("input", "target", "ideal", "choices", "id", "metadata");
    private static final Set<String> UNMAPPED = Set.of("setup", "sandbox", "files");
    private static final int MAX_CHOICES = 26;

    private final ObjectNode sample;
    private final String path;
    private final ImportReport report;
    private final @Nullable TargetCheck check;

    SampleReader(ObjectNode sample, String path, ImportReport report, @Nullable TargetCheck check) {
        this.sample = sample;
        this.path = path;
        this.report = report;
        this.check = check;
    }

    /** The sample as a case. */
    ObjectNode read(String id) {
        ObjectNode written = JsonNodeFactory.instance.objectNode().put("id", id);
        List<String> choices = choices();
        putInput(written, choices);
        List<String> targets = targets();
        boolean isChoice =
                !choices.isEmpty() && check == null && targets.stream().allMatch(letter -> isLetter(letter, choices));
        if (!targets.isEmpty()) {
            TargetCheck compared = check == null ? TargetCheck.ICONTAINS : check;
            written.putArray("checks").add(isChoice ? TargetCheck.choice(targets) : compared.check(targets));
        }
        putMetadata(written, id);
        if (report.lostSetting(path) != null) {
            // Something else is asked than the sample says.
            written.putArray("checks")
                    .addObject()
                    .put("type", LostRule.WORD)
                    .put("was", targets.isEmpty() ? "sample" : "target")
                    .put("path", Excerpt.of(path, LostRule.MAX_PATH));
        }
        return written;
    }

    private static boolean isLetter(String target, List<String> choices) {
        return target.length() == 1 && target.charAt(0) >= 'A' && target.charAt(0) < 'A' + choices.size();
    }

    private String at(String field) {
        return DocumentPath.field(path, field);
    }

    private void putInput(ObjectNode written, List<String> choices) {
        JsonNode input = sample.path("input");
        if (input.isTextual()) {
            written.put("prompt", choices.isEmpty() ? input.textValue() : question(input.textValue(), choices));
        } else if (input.isArray() && !input.isEmpty()) {
            ArrayNode prompts = written.putArray("prompts");
            for (int i = 0; i < input.size(); i++) {
                putMessage(input.get(i), DocumentPath.item(at("input"), i), prompts);
            }
            if (!choices.isEmpty()) {
                report.unmapped(
                        LostPart.SETTING,
                        at("choices"),
                        "Choices beside messages have no counterpart; write them into the last one.");
            }
        } else {
            report.error(
                    at("input"), "`input` must be a text or messages, but is " + ActualValue.describe(input) + ".");
        }
    }

    private void putMessage(JsonNode message, String at, ArrayNode prompts) {
        String role = message.path("role").asText("");
        if (!Set.of("user", "assistant").contains(role)) {
            report.unmapped(
                    LostPart.SETTING,
                    DocumentPath.field(at, "role"),
                    "A message of role `" + role + "` has no counterpart; write a system prompt into the branch.");
        } else if (!message.path("content").isTextual()) {
            report.unmapped(
                    LostPart.SETTING, DocumentPath.field(at, "content"), "Only texts of messages have a counterpart.");
        } else {
            prompts.addObject()
                    .put("role", role)
                    .put("content", message.path("content").textValue());
        }
    }

    /** As Inspect asks. */
    private static String question(String input, List<String> choices) {
        String letters = IntStream.range(0, choices.size())
                .mapToObj(i -> String.valueOf((char) ('A' + i)))
                .collect(Collectors.joining(","));
        String lines = IntStream.range(0, choices.size())
                .mapToObj(i -> (char) ('A' + i) + ") " + choices.get(i))
                .collect(Collectors.joining("\n"));
        return "Answer the following multiple choice question. The entire content of your response should be of the"
                + " following format: 'ANSWER: $LETTER' (without quotes) where LETTER is one"
                + " of " + letters + ".\n\n" + input
                + "\n\n"
                + lines;
    }

    private List<String> choices() {
        JsonNode written = sample.path("choices");
        List<String> choices = new ArrayList<>();
        if (written.isTextual()) {
            for (String choice : written.textValue().split(",", -1)) {
                choices.add(choice.strip());
            }
            choices.removeIf(String::isEmpty);
        } else {
            choices.addAll(texts(written, "choices"));
        }
        if (choices.size() > MAX_CHOICES) {
            report.error(at("choices"), "There are " + choices.size() + " choices; write at most " + MAX_CHOICES + ".");
            return List.of();
        }
        return choices;
    }

    /** The targets, of which one must be reached. */
    private List<String> targets() {
        String field = sample.has("target") ? "target" : "ideal";
        JsonNode written = sample.path(field);
        List<String> targets =
                written.isValueNode() && !written.isNull() ? List.of(written.asText()) : texts(written, field);
        return targets.stream().filter(target -> !target.isBlank()).toList();
    }

    private List<String> texts(JsonNode written, String field) {
        List<String> texts = new ArrayList<>();
        if (written.isArray()) {
            for (int i = 0; i < written.size(); i++) {
                if (written.get(i).isValueNode() && !written.get(i).isNull()) {
                    texts.add(written.get(i).asText());
                } else {
                    report.error(DocumentPath.item(at(field), i), "It must be a text.");
                }
            }
        } else if (!written.isMissingNode() && !written.isNull()) {
            report.error(
                    at(field),
                    "`" + field + "` must be a text or a list, but is " + ActualValue.describe(written) + ".");
        }
        return texts;
    }

    private void putMetadata(ObjectNode written, String id) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        sample.properties().forEach(field -> {
            if (UNMAPPED.contains(field.getKey()) && !field.getValue().isNull()) {
                report.unmapped(
                        LostPart.SETTING,
                        at(field.getKey()),
                        "`" + field.getKey() + "` of a sample has no counterpart.");
            } else if (!KNOWN.contains(field.getKey())) {
                put(metadata, field.getKey(), field.getValue());
            }
        });
        JsonNode own = metadata();
        own.properties().forEach(field -> put(metadata, field.getKey(), field.getValue()));
        if (sample.has("id") && !sample.path("id").asText().equals(id)) {
            metadata.put("id", sample.path("id").asText());
        }
        if (!metadata.isEmpty()) {
            written.set("metadata", metadata);
        }
    }

    /** In CSV an object is written as JSON. */
    private JsonNode metadata() {
        JsonNode written = sample.path("metadata");
        if (!written.isTextual() || written.textValue().isBlank()) {
            return written;
        }
        try {
            return DocumentText.parseJsonOnly(written.textValue());
        } catch (AssayException e) {
            report.error(at("metadata"), "`metadata` must be an object in JSON. " + e.getMessage());
            return JsonNodeFactory.instance.objectNode();
        }
    }

    private static void put(ObjectNode metadata, String name, JsonNode value) {
        if (value.isContainerNode()) {
            metadata.put(name, Json.write(value));
        } else if (!value.isNull()) {
            metadata.set(name, value);
        }
    }
}

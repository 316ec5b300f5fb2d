package dev.assay.domain.export;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.graded.QuestionRule.Question;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.TargetTexts;
import dev.assay.domain.usage.Usage;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cell in the form of Every Eval Ever. */
public final class EveryEvalSample {

    private final EveryEvalBranch branch;
    private final boolean redact;

    public EveryEvalSample(EveryEvalBranch branch, EveryEvalChoices choices) {
        this.branch = branch;
        this.redact = choices.redact();
    }

    /**
     * A cell with evidence.
     *
     * @param outcome with its transcript
     * @param score of its trial; null: it is 1 where it passed, else 0
     */
    public record Cell(
            Case asked,
            int trial,
            Outcome outcome,
            boolean passed,
            @Nullable Double score,
            AnswerSource source) {}

    /** The questions that graders answered for these results, and for those of groups among them. */
    public static Set<Question> asked(List<CheckResult> results) {
        Set<Question> asked = EnumSet.noneOf(Question.class);
        for (CheckResult result : results) {
            if (result.grade() != null) {
                Arrays.stream(Question.values())
                        .filter(question -> question.word().equals(result.type()))
                        .forEach(asked::add);
            }
            asked.addAll(asked(result.checks() == null ? List.of() : result.checks()));
        }
        return asked;
    }

    /** The line of a cell. */
    public ObjectNode line(Cell cell) {
        Outcome outcome = cell.outcome();
        List<Message> messages = outcome.newMessages();
        long users =
                messages.stream().filter(message -> message.role() == Role.USER).count();
        int calls = messages.stream()
                .mapToInt(message -> message.toolCalls().size())
                .sum();
        boolean isSingle = users <= 1 && calls == 0;
        String raw = asked(cell.asked());
        String target = cell.asked().metadata().get("target");
        List<String> references = target == null ? List.of() : TargetTexts.read(target);
        ObjectNode line = Json.mapper().createObjectNode();
        line.put("schema_version", EveryEvalBranch.VERSION)
                .put("evaluation_id", branch.evaluationId())
                .put("model_id", branch.modelId())
                .put("evaluation_name", EveryEvalBranch.RATE)
                .put("evaluation_result_id", branch.resultId(EveryEvalBranch.RATE))
                .put("sample_id", cell.asked().id() + "#" + cell.trial())
                .put("sample_hash", RequestKey.sha256(raw + String.join("", references)))
                .put("interaction_type", isSingle ? "single_turn" : calls > 0 ? "agentic" : "multi_turn");
        ObjectNode input = line.putObject("input").put("raw", shown(raw));
        ArrayNode all = input.putArray("reference");
        references.forEach(reference -> all.add(shown(reference)));
        choices(cell.asked()).forEach(choice -> input.withArray("choices").add(shown(choice)));
        if (isSingle) {
            line.putObject("output").putArray("raw").add(shown(outcome.response()));
            line.putNull("messages");
        } else {
            line.putNull("output");
            line.set("messages", messages(messages));
        }
        addAnswer(line, cell, isSingle, messages.size());
        addMeasured(line, cell, messages.size(), calls);
        return line;
    }

    private static String asked(Case asked) {
        return asked.prompts().isEmpty()
                ? Json.write(new TreeMap<>(asked.vars()))
                : asked.prompts().getLast().text();
    }

    private static List<String> choices(Case asked) {
        String written = asked.metadata().get("choices");
        return written == null ? List.of() : TargetTexts.read(written);
    }

    private String shown(String text) {
        return redact ? RequestKey.sha256(text) : text;
    }

    private ArrayNode messages(List<Message> messages) {
        ArrayNode all = Json.mapper().createArrayNode();
        for (Message message : messages) {
            ObjectNode one = all.addObject()
                    .put("turn_idx", all.size() - 1)
                    .put("role", message.role().name().toLowerCase(Locale.ROOT))
                    .put("content", shown(message.text()));
            for (Content.ToolCall call : message.toolCalls()) {
                ObjectNode arguments = Json.mapper().createObjectNode();
                call.arguments()
                        .properties()
                        .forEach(argument -> arguments.put(
                                argument.getKey(),
                                shown(
                                        argument.getValue().isTextual()
                                                ? argument.getValue().textValue()
                                                : argument.getValue().toString())));
                one.withArray("tool_calls")
                        .addObject()
                        .put("id", call.id())
                        .put("name", call.name())
                        .set("arguments", arguments);
            }
            Message.ToolResult result = message.toolResult();
            if (result != null) {
                one.putArray("tool_call_id").add(result.callId());
            }
        }
        return all;
    }

    private void addAnswer(ObjectNode line, Cell cell, boolean isSingle, int messages) {
        int turn = isSingle ? 0 : Math.max(0, messages - 1);
        line.putArray("answer_attribution")
                .addObject()
                .put("turn_idx", turn)
                .put("source", isSingle ? "output.raw" : "messages[" + turn + "].content")
                .put("extracted_value", shown(cell.outcome().response()))
                .put("extraction_method", "verbatim")
                .put("is_terminal", true);
        Double score = cell.score();
        line.putObject("evaluation")
                .put("score", score == null ? (cell.passed() ? 1.0 : 0.0) : score)
                .put("is_correct", cell.passed());
    }

    private static void addMeasured(ObjectNode line, Cell cell, int messages, int calls) {
        line.withObjectProperty("evaluation")
                .put("num_turns", Math.max(1, messages))
                .put("tool_calls_count", calls);
        Usage usage = cell.outcome().usage();
        if (usage.complete()) {
            line.putObject("token_usage")
                    .put("input_tokens", usage.input())
                    .put("output_tokens", usage.output())
                    .put("total_tokens", usage.total());
        }
        long latency = cell.outcome().latency().toMillis();
        if (latency > 0) {
            line.putObject("performance").put("latency_ms", (double) latency);
        }
        var failure = cell.outcome().failure();
        line.put("error", failure == null ? null : failure.message());
        ObjectNode metadata = line.putObject("metadata");
        Map.of("caseId", cell.asked().id(), "trial", String.valueOf(cell.trial()))
                .forEach(metadata::put);
        metadata.put("status", cell.outcome().status().name())
                .put("source", cell.source().name());
    }
}

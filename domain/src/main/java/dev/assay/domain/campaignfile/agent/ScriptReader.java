package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent.Script;
import dev.assay.domain.agent.Agent.ScriptedCall;
import dev.assay.domain.agent.Agent.ScriptedFailure;
import dev.assay.domain.agent.Agent.ToolTurn;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.usage.UsageReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of the behaviour of a scripted agent. */
final class ScriptReader {

    static final Fields FIELDS = Fields.of("script", "answers", "echo", "delayMs", "failures", "usage");
    static final Fields FAILURE = Fields.of("scriptedFailure", "status", "retryAfterSeconds");
    static final Fields TURN = Fields.of("scriptedTurn", "text", "toolCalls");
    static final Fields CALL = Fields.of("scriptedCall", "name", "arguments");

    /** An hour. */
    private static final NumberRule DELAY = NumberRule.whole(0, 3_600_000);

    private static final NumberRule STATUS = NumberRule.whole(400, 599);
    private static final NumberRule RETRY_AFTER = NumberRule.between(0, 86_400);

    private ScriptReader() {}

    static Script read(FieldReader agent) {
        agent.required("script");
        FieldReader fields = agent.objectOrEmpty("script", FIELDS);
        boolean echoes = fields.flag("echo", false);
        if (echoes && fields.has("answers")) {
            fields.problem("answers", "Write either `answers` or `echo`, not both.");
        }
        List<Answer> answers =
                agent.has("script") && !echoes ? fields.nonEmptyList("answers", ScriptReader::answer) : List.of();
        FieldReader usage = fields.hasValue("usage") ? fields.object("usage", UsageReader.FIELDS) : null;
        return new Script(
                answers.stream().map(Answer::text).toList(),
                answers.stream().map(Answer::before).toList(),
                Duration.ofMillis(fields.integer("delayMs", DELAY, 0)),
                fields.list("failures", ScriptReader::failure),
                usage == null ? null : UsageReader.read(usage));
    }

    /** An answer, with the turns that come before it. */
    private record Answer(String text, List<ToolTurn> before) {}

    private static @Nullable Answer answer(JsonNode node, String path, Problems problems) {
        if (!node.isArray()) {
            String text = TextRules.textItem(node, path, problems);
            return text == null ? null : new Answer(text, List.of());
        }
        if (node.isEmpty() || !node.get(node.size() - 1).isTextual()) {
            problems.add(
                    path, "`" + path + "` must end on the text that is the answer, after the turns that call tools.");
            return null;
        }
        List<ToolTurn> before = new ArrayList<>();
        for (int i = 0; i < node.size() - 1; i++) {
            before.add(turn(node.get(i), DocumentPath.item(path, i), problems));
        }
        return new Answer(node.get(node.size() - 1).textValue(), before);
    }

    private static ToolTurn turn(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, TURN, problems);
        return new ToolTurn(
                fields.has("text") ? fields.anyText("text") : "", fields.nonEmptyList("toolCalls", ScriptReader::call));
    }

    private static ScriptedCall call(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, CALL, problems);
        JsonNode arguments = fields.node("arguments");
        if (arguments != null && !arguments.isObject()) {
            fields.problem(
                    "arguments", "`arguments` must be an object, but is " + ActualValue.describe(arguments) + ".");
        }
        return new ScriptedCall(
                fields.line("name", 256), arguments == null ? JsonNodeFactory.instance.objectNode() : arguments);
    }

    /** The script in the words of the campaign file. */
    static ObjectNode write(Script script) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (script.echoes()) {
            node.put("echo", true);
        } else {
            node.set("answers", writeAnswers(script));
        }
        node.put("delayMs", script.delay().toMillis());
        ArrayNode failures = node.putArray("failures");
        script.failures().forEach(failure -> {
            ObjectNode written = failures.addObject().put("status", failure.httpStatus());
            if (failure.retryAfter() != null) {
                BigDecimal seconds = BigDecimal.valueOf(failure.retryAfter().toMillis(), 3);
                written.set("retryAfterSeconds", JsonNumbers.node(seconds));
            }
        });
        if (script.usage() != null) {
            node.set("usage", UsageReader.write(script.usage()));
        }
        return node;
    }

    private static ArrayNode writeAnswers(Script script) {
        ArrayNode answers = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < script.answers().size(); i++) {
            String text = script.answers().get(i);
            List<ToolTurn> before = script.toolTurns().get(i);
            if (before.isEmpty()) {
                answers.add(text);
            } else {
                ArrayNode turns = answers.addArray();
                before.forEach(turn -> turns.add(write(turn)));
                turns.add(text);
            }
        }
        return answers;
    }

    private static ObjectNode write(ToolTurn turn) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (!turn.text().isEmpty()) {
            node.put("text", turn.text());
        }
        ArrayNode calls = node.putArray("toolCalls");
        turn.calls().forEach(call -> calls.addObject().put("name", call.name()).set("arguments", call.arguments()));
        return node;
    }

    private static ScriptedFailure failure(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FAILURE, problems);
        fields.required("status");
        boolean waits = fields.hasValue("retryAfterSeconds");
        return new ScriptedFailure(
                fields.integer("status", STATUS, 500),
                waits ? fields.seconds("retryAfterSeconds", RETRY_AFTER, Duration.ZERO) : null);
    }
}

package dev.assay.domain.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ModelUse;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.usage.Reported;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer that a line of the neutral form says. */
final class AnswerLines {

    private static final Fields REPORTED = Fields.of("reported", "usage", "costUsd");
    private static final NumberRule EXIT_CODE = NumberRule.whole(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final int LONGEST_REASON = 256;

    private AnswerLines() {}

    /** Reads an answer; without {@code messages} only its response is known. */
    static Outcome.Answer read(FieldReader fields) {
        List<Message> messages = fields.hasValue("messages") ? fields.list("messages", MessageReader::read) : List.of();
        String response = fields.hasValue("response") ? fields.anyText("response") : "";
        return new Outcome.Answer(
                messages,
                0,
                response,
                new Provenance(object(fields, "requested"), object(fields, "effective"), served(fields)),
                program(fields),
                fields.hasValue("finishReason") ? Excerpt.first(fields.anyText("finishReason"), LONGEST_REASON) : null,
                fields.hasValue("output") ? fields.node("output") : null);
    }

    private static @Nullable JsonNode object(FieldReader fields, String name) {
        return fields.node(name) instanceof ObjectNode object ? object : null;
    }

    private static @Nullable Served served(FieldReader fields) {
        JsonNode served = object(fields, "served");
        return served == null
                ? null
                : new Served(
                        served.path("model").textValue(),
                        served.path("fingerprint").textValue(),
                        served.path("serviceTier").textValue(),
                        served.path("metadata"));
    }

    /** What an export says of a program that answered. Its output is no part of it. */
    private static @Nullable ProgramRun program(FieldReader fields) {
        JsonNode commands = fields.node("commandCount");
        boolean isProgram = fields.hasValue("exitCode")
                || fields.hasValue("isolation")
                || fields.hasValue("reported")
                || (commands != null && commands.isNull());
        if (!isProgram) {
            return null;
        }
        FieldReader reported = fields.hasValue("reported") ? fields.object("reported", REPORTED) : null;
        return new ProgramRun(
                new byte[0],
                new byte[0],
                new Evidence(
                        null,
                        List.of(),
                        null,
                        fields.hasValue("exitCode") ? (Integer) fields.integer("exitCode", EXIT_CODE, 0) : null),
                reported == null
                        ? null
                        : new ModelUse(
                                "",
                                new Reported(
                                        UsageLines.read(reported),
                                        reported.nullableDecimal("costUsd", UsageLines.COST))),
                fields.hasValue("isolation") ? fields.word("isolation", IsolationLevel.byWord()) : null);
    }
}

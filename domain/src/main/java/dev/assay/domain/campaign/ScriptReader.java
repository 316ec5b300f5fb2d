package dev.assay.domain.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent.Script;
import dev.assay.domain.agent.Agent.ScriptedFailure;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.usage.UsageReader;
import java.time.Duration;
import java.util.List;

/** Reads what a scripted agent does. */
final class ScriptReader {

    static final Fields FIELDS = Fields.of("script", "answers", "delayMs", "failures", "usage");
    static final Fields FAILURE = Fields.of("scriptedFailure", "status", "retryAfterSeconds");

    /** An hour. */
    private static final NumberRule DELAY = NumberRule.whole(0, 3_600_000);

    private static final NumberRule STATUS = NumberRule.whole(400, 599);
    private static final NumberRule RETRY_AFTER = NumberRule.between(0, 86_400);

    private ScriptReader() {}

    static Script read(FieldReader agent) {
        agent.required("script");
        FieldReader fields = agent.objectOrEmpty("script", FIELDS);
        List<String> answers = agent.has("script") ? fields.nonEmptyList("answers", TextRules::textItem) : List.of();
        FieldReader usage = fields.hasValue("usage") ? fields.object("usage", UsageReader.FIELDS) : null;
        return new Script(
                answers,
                Duration.ofMillis(fields.integer("delayMs", DELAY, 0)),
                fields.list("failures", ScriptReader::failure),
                usage == null ? null : UsageReader.read(usage));
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

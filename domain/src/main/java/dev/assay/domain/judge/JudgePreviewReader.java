package dev.assay.domain.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import java.math.BigDecimal;
import java.util.List;

/** The reader of a {@link JudgePreviewRequest} that a user wrote. It finds every error at once, each with its path. */
public final class JudgePreviewReader {

    private static final String WHAT = "judge preview";

    private static final Fields FIELDS = Fields.of(
            "judgePreview",
            "query",
            "responses",
            "priorContext",
            "context",
            "maxContextTokens",
            "systemPrompt",
            "reply",
            "fence");

    private static final NumberRule WINDOW = NumberRule.whole(0, Integer.MAX_VALUE);

    private JudgePreviewReader() {}

    /**
     * Reads {@code document}. A context or a window that is null is none.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static JudgePreviewRequest read(JsonNode document) {
        Problems problems = new Problems();
        if (!DocumentLimits.isShallow(document, "", problems)) {
            problems.throwIfAny(WHAT);
        }
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        String priorContext = fields.hasValue("priorContext") ? fields.anyText("priorContext") : "";
        List<Message> context = fields.hasValue("context") ? fields.list("context", MessageReader::read) : List.of();
        if (!priorContext.isEmpty() && !context.isEmpty()) {
            fields.problem(
                    "context", "`context` says as messages what `priorContext` says as text; remove one of them.");
        }
        String told = context.isEmpty() ? priorContext : Transcript.format(context);
        Conversation conversation = new Conversation(told, fields.anyText("query"));
        List<String> responses = fields.nonEmptyList("responses", TextRules::textItem);
        BigDecimal window = fields.nullableDecimal("maxContextTokens", WINDOW);
        String systemPrompt = fields.nullableText("systemPrompt");
        JudgeFormat format = new JudgeFormat(
                fields.word("reply", JudgeFormat.Reply.byWord(), JudgeFormat.Reply.PLAIN), fields.flag("fence", false));
        // Half a surrogate pair could not be answered.
        DocumentLimits.check(document, "", problems);
        problems.throwIfAny(WHAT);
        return new JudgePreviewRequest(
                conversation, responses, window == null ? null : window.intValueExact(), systemPrompt, format);
    }
}

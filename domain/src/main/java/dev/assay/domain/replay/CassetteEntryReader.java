package dev.assay.domain.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageReader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of recorded answers from files and from campaign documents. */
public final class CassetteEntryReader {

    /** The fields of an entry. */
    public static final Fields FIELDS = Fields.of(
            "cassetteEntry", "key", "trial", "provider", "model", "asked", "reply", "usage", "costUsd", "latencyMs");

    private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");
    private static final NumberRule TRIAL = NumberRule.whole(1, 1000);
    private static final NumberRule COST = NumberRule.between(0, 1_000_000_000);
    private static final NumberRule LATENCY = NumberRule.whole(0, 1_000_000_000_000L);

    private CassetteEntryReader() {}

    /** Reads one entry; null: it is unusable, which was reported. */
    public static @Nullable CassetteEntry read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        String key = fields.text("key");
        if (!fields.isWrong("key") && !KEY.matcher(key).matches()) {
            fields.problem(
                    "key", "`key` must be a SHA-256 in 64 lower-case hexadecimal digits; record the answer again.");
        }
        fields.required("trial");
        fields.required("latencyMs");
        Message reply = reply(fields);
        Usage usage = usage(fields);
        CassetteEntry entry = reply == null
                ? null
                : new CassetteEntry(
                        key,
                        fields.integer("trial", TRIAL, 1),
                        fields.line("provider", 128),
                        fields.line("model", 256),
                        fields.anyText("asked"),
                        reply,
                        usage,
                        fields.nullableDecimal("costUsd", COST),
                        fields.longInteger("latencyMs", LATENCY, 0));
        return entry;
    }

    private static @Nullable Message reply(FieldReader fields) {
        JsonNode node = fields.required("reply");
        Message reply = node == null ? null : MessageReader.read(node, fields.path("reply"), fields.problems());
        if (reply != null && reply.role() != Role.ASSISTANT) {
            fields.problem("reply", "`reply` must be a message of role assistant.");
        }
        return reply;
    }

    private static Usage usage(FieldReader fields) {
        fields.required("usage");
        FieldReader usage = fields.object("usage", UsageReader.FIELDS);
        return usage == null ? Usage.NONE : UsageReader.read(usage);
    }
}

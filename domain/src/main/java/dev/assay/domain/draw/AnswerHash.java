package dev.assay.domain.draw;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.replay.RequestKey;
import org.jspecify.annotations.Nullable;

/** The hash of what evaluators read of an answer. Equal hashes mean equal messages and responses. */
public final class AnswerHash {

    private AnswerHash() {}

    /** SHA-256, in hexadecimal, of the canonical JSON of messages and response; null where there is no answer. */
    public static @Nullable String of(Outcome outcome) {
        if (!outcome.status().isAnswer()) {
            return null;
        }
        ObjectNode read = Json.mapper().createObjectNode();
        read.set("messages", Json.mapper().valueToTree(outcome.newMessages()));
        read.put("response", outcome.response());
        return RequestKey.sha256(RequestKey.canonical(read));
    }
}

package dev.assay.activities.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The question as an answer: the text of the only message, or all messages as promptfoo's echo writes them. */
final class Echo {

    private Echo() {}

    static String of(@Nullable String systemPrompt, List<Message> messages) {
        if (systemPrompt == null && messages.size() == 1) {
            return messages.getFirst().text();
        }
        ArrayNode all = Json.mapper().createArrayNode();
        if (systemPrompt != null) {
            all.addObject().put("role", "system").put("content", systemPrompt);
        }
        messages.forEach(message -> all.addObject()
                .put("role", message.role().name().toLowerCase(Locale.ROOT))
                .put("content", message.text()));
        return Json.indented(all);
    }
}

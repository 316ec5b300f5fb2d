package dev.assay.activities.call;

import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.tool.ToolSpec;
import java.nio.charset.StandardCharsets;

/**
 * The size of a request to a model.
 *
 * @param textBytes of its texts, tool calls and tools, in UTF-8
 * @param compares whether embeddings are asked for
 */
record SentSize(long textBytes, long imageBytes, int images, int messages, boolean compares) {

    static SentSize of(ModelRequest request) {
        long text = request.systemPrompt() == null ? 0 : bytes(request.systemPrompt());
        long imageBytes = 0;
        int images = 0;
        for (Message message : request.messages()) {
            for (Content block : message.content()) {
                switch (block) {
                    case Content.Text(String said) -> text += bytes(said);
                    case Content.Thinking(String thought, String signature) ->
                        text += bytes(thought) + (signature == null ? 0 : bytes(signature));
                    case Content.Image image -> {
                        imageBytes += bytes(image.data());
                        images++;
                    }
                    case Content.ToolCall call -> text += bytes(call.arguments().toString());
                }
            }
        }
        for (ToolSpec tool : request.tools()) {
            text += bytes(tool.name() + tool.description() + tool.parameters());
        }
        return new SentSize(text, imageBytes, images, request.messages().size(), request.compares());
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** What a price counts, as long as nothing better is known. */
    long allBytes() {
        return textBytes + imageBytes;
    }

    /**
     * What limits count.
     *
     * @param billedOutput the most output that the answer can be billed for; embeddings have none
     */
    RequestSize spent(int billedOutput) {
        return new RequestSize(textBytes, messages, images, compares ? 0 : billedOutput);
    }
}

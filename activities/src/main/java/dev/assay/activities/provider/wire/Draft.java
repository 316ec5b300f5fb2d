package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message of a model in the making: blocks that grow piece by piece. */
final class Draft {

    private final @Nullable AnswerListener listener;
    private final SortedMap<Integer, Block> blocks = new TreeMap<>();
    private int calls;

    /**
     * A block.
     *
     * @param index among the calls of tools, from 0; of another block 0
     * @param text words, thoughts, or the arguments of a call
     */
    record Block(
            Part part, int index, StringBuilder id, StringBuilder name, StringBuilder text, StringBuilder signature) {

        /** Most servers say id and name once, some with every piece. */
        void named(String saidId, String saidName) {
            id.append(saidId.contentEquals(id) ? "" : saidId);
            name.append(saidName.contentEquals(name) ? "" : saidName);
        }

        private Content.ToolCall call() {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("a call names no tool");
            }
            return new Content.ToolCall(id.toString(), name.toString(), arguments(text.toString()));
        }

        private Content.Thinking thought() {
            return new Content.Thinking(text.toString(), signature.isEmpty() ? null : signature.toString());
        }
    }

    /** @param listener receives the pieces; null: nobody does */
    Draft(@Nullable AnswerListener listener) {
        this.listener = listener;
    }

    /** The block of a place in the message; null: it has not begun. */
    @Nullable
    Block at(int place) {
        return blocks.get(place);
    }

    /** The block of a place in the message, which begins with this if it has not yet. */
    Block begin(int place, Part part) {
        return blocks.computeIfAbsent(
                place,
                _ -> new Block(
                        part,
                        part == Part.TOOL_CALL ? calls++ : 0,
                        new StringBuilder(),
                        new StringBuilder(),
                        new StringBuilder(),
                        new StringBuilder()));
    }

    void piece(Block block, String text) {
        block.text().append(text);
        if (listener != null && !text.isEmpty()) {
            String tool = block.name().isEmpty() ? null : block.name().toString();
            listener.piece(block.part(), block.index(), tool, text);
        }
    }

    /**
     * The message: thoughts, text and calls of tools, those that are there.
     *
     * @throws IllegalArgumentException when a call names no tool
     */
    Message message() {
        List<Content> content = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        List<Content> called = new ArrayList<>();
        for (Block block : blocks.values()) {
            switch (block.part()) {
                case THINKING -> content.add(block.thought());
                case TEXT -> texts.add(block.text().toString());
                case TOOL_CALL -> called.add(block.call());
            }
        }
        content.removeIf(block ->
                block instanceof Content.Thinking thought && thought.text().isBlank());
        texts.removeIf(String::isEmpty);
        if (!texts.isEmpty()) {
            content.add(new Content.Text(String.join("\n", texts)));
        }
        content.addAll(called);
        return new Message(Role.ASSISTANT, content, null);
    }

    /**
     * A model may write arguments that are no JSON, or hold numbers that cannot be written out. They are kept as a text, so that
     * the tool's error can show them.
     */
    static JsonNode arguments(String text) {
        if (text.isBlank()) {
            return Wire.object();
        }
        try {
            JsonNode json = Json.mapper().readTree(text);
            return json.isObject() && JsonNumbers.areReadable(json) ? json : TextNode.valueOf(text);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }
}

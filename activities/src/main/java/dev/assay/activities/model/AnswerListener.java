package dev.assay.activities.model;

import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of a model's answer while it is made: one call at a time, on any thread, and none after the request has ended. It must
 * not block, since the answer is not read meanwhile.
 */
public interface AnswerListener {

    /**
     * A piece of the answer, before anything was made storable.
     *
     * @param part what it is a piece of
     * @param index of the block among the blocks of this part, from 0
     * @param toolName the tool that is called; null when the piece is of no tool call, or the model has not said it yet
     * @param text what follows the earlier pieces of the block
     */
    void piece(Part part, int index, @Nullable String toolName, String text);

    /** Called when nothing arrived for a moment. */
    void pause();
}

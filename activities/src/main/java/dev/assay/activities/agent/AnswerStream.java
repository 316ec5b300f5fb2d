package dev.assay.activities.agent;

import dev.assay.activities.model.AnswerListener;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Message;
import dev.assay.domain.text.StorableText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one answer: its first piece at once, then at most ten updates a second. Pieces that arrive in between are joined,
 * and so are pieces that arrive while an update is being written. The thread that reads the answer never waits, and at most one
 * update is being written.
 */
final class AnswerStream implements AnswerListener, AutoCloseable {

    /**
     * Readers of events are served as often. Two more updates in a second are the last one of an answer and the first one of the
     * next.
     */
    static final Duration AT_LEAST = Duration.ofMillis(100);

    /** Blocks whose rest is sent when the answer is complete; the message holds it anyway. */
    private static final int LAST_BLOCKS = 8;

    private final LoopEvents events;
    private final LongSupplier nanoTime;
    private final Map<Block, Text> blocks = new LinkedHashMap<>();
    private CompletableFuture<?> told = CompletableFuture.completedFuture(null);
    private long nextNanos;
    private boolean begun;
    private boolean over;

    AnswerStream(LoopEvents events, LongSupplier nanoTime) {
        this.events = events;
        this.nanoTime = nanoTime;
        this.nextNanos = nanoTime.getAsLong();
    }

    private record Block(Part part, int index) {}

    /** The text of a block that was not sent yet, and the length of the text that was. */
    private static final class Text {

        private final StringBuilder rest = new StringBuilder();
        private @Nullable String toolName;
        private int offset;

        /** The text that can be sent now: a pair of surrogates may arrive in two pieces. */
        String next(boolean isLast) {
            int end = rest.length();
            if (!isLast && end > 0 && Character.isHighSurrogate(rest.charAt(end - 1))) {
                end--;
            }
            String next = rest.substring(0, end);
            rest.delete(0, end);
            return StorableText.of(next);
        }
    }

    @Override
    public synchronized void piece(Part part, int index, @Nullable String toolName, String text) {
        if (over || text.isEmpty()) {
            return;
        }
        Text block = blocks.computeIfAbsent(new Block(part, index), _ -> new Text());
        block.rest.append(text);
        block.toolName = toolName == null ? block.toolName : StorableText.of(toolName);
        pause();
    }

    @Override
    public synchronized void pause() {
        if (!over && told.isDone() && nanoTime.getAsLong() - nextNanos >= 0) {
            // The oldest block with unsent text; the others wait for their turn.
            tell(1, false);
        }
    }

    private void tell(int most, boolean isLast) {
        List<AgentEvent> updates = new ArrayList<>();
        for (Map.Entry<Block, Text> block : blocks.entrySet()) {
            Text text = block.getValue();
            String delta = updates.size() < most ? text.next(isLast) : "";
            if (!delta.isEmpty()) {
                updates.add(events.update(
                        block.getKey().part(), block.getKey().index(), text.toolName, text.offset, delta));
                text.offset += delta.length();
            }
        }
        if (updates.isEmpty()) {
            return;
        }
        if (!begun) {
            begun = true;
            updates.addFirst(events.answerStart());
        }
        nextNanos = nanoTime.getAsLong() + AT_LEAST.toNanos();
        told = events.tell(updates);
    }

    /** Ends the answer: sends all text that is unsent. */
    synchronized void end(Message answer) {
        over = true;
        tell(LAST_BLOCKS, true);
        if (begun) {
            events.messageEnd(answer);
        } else {
            events.answer(answer);
        }
    }

    /** Ends the request: no update of its answer is sent after this, and none is in flight. */
    @Override
    public void close() {
        CompletableFuture<?> last;
        synchronized (this) {
            over = true;
            last = told;
        }
        // A failed update is no reason to lose an answer: the message holds it all.
        var _ = last.handle((_, _) -> true).join();
    }
}

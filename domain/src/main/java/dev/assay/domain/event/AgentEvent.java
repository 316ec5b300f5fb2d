package dev.assay.domain.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of an agent loop, or of the parallel evaluation that holds several (docs/evaluations.md). In JSON {@code type} is the
 * event's {@link #name}.
 *
 * <p>A loop emits, in this order: AgentStart; InputRejected, or its turns, before each of which it may compact; AgentEnd. A turn
 * emits: TurnStart; the messages that it adds, the prompts first; its tools; TurnEnd. A ProgressMessage may stand anywhere.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = AgentEvent.ParallelLoopStart.class, name = "ParallelLoopStart"),
    @JsonSubTypes.Type(value = AgentEvent.ParallelLoopEnd.class, name = "ParallelLoopEnd"),
    @JsonSubTypes.Type(value = AgentEvent.AgentStart.class, name = "AgentStart"),
    @JsonSubTypes.Type(value = AgentEvent.AgentEnd.class, name = "AgentEnd"),
    @JsonSubTypes.Type(value = AgentEvent.TurnStart.class, name = "TurnStart"),
    @JsonSubTypes.Type(value = AgentEvent.TurnEnd.class, name = "TurnEnd"),
    @JsonSubTypes.Type(value = AgentEvent.MessageStart.class, name = "MessageStart"),
    @JsonSubTypes.Type(value = AgentEvent.MessageUpdate.class, name = "MessageUpdate"),
    @JsonSubTypes.Type(value = AgentEvent.MessageEnd.class, name = "MessageEnd"),
    @JsonSubTypes.Type(value = AgentEvent.ToolExecutionStart.class, name = "ToolExecutionStart"),
    @JsonSubTypes.Type(value = AgentEvent.ToolExecutionUpdate.class, name = "ToolExecutionUpdate"),
    @JsonSubTypes.Type(value = AgentEvent.ToolExecutionEnd.class, name = "ToolExecutionEnd"),
    @JsonSubTypes.Type(value = AgentEvent.ProgressMessage.class, name = "ProgressMessage"),
    @JsonSubTypes.Type(value = AgentEvent.InputRejected.class, name = "InputRejected"),
    @JsonSubTypes.Type(value = AgentEvent.CompactionStarted.class, name = "CompactionStarted"),
    @JsonSubTypes.Type(value = AgentEvent.CompactionEnded.class, name = "CompactionEnded"),
})
public sealed interface AgentEvent {

    /** The session, which all branches of an evaluation and its judge share. */
    String sessionId();

    /** When it happened. */
    Instant timestamp();

    /** The stable name, which is also the {@code event} of a server-sent event. */
    default String name() {
        return switch (this) {
            case ParallelLoopStart ignored -> "ParallelLoopStart";
            case ParallelLoopEnd ignored -> "ParallelLoopEnd";
            case AgentStart ignored -> "AgentStart";
            case AgentEnd ignored -> "AgentEnd";
            case TurnStart ignored -> "TurnStart";
            case TurnEnd ignored -> "TurnEnd";
            case MessageStart ignored -> "MessageStart";
            case MessageUpdate ignored -> "MessageUpdate";
            case MessageEnd ignored -> "MessageEnd";
            case ToolExecutionStart ignored -> "ToolExecutionStart";
            case ToolExecutionUpdate ignored -> "ToolExecutionUpdate";
            case ToolExecutionEnd ignored -> "ToolExecutionEnd";
            case ProgressMessage ignored -> "ProgressMessage";
            case InputRejected ignored -> "InputRejected";
            case CompactionStarted ignored -> "CompactionStarted";
            case CompactionEnded ignored -> "CompactionEnded";
        };
    }

    /** An event of one loop. */
    sealed interface OfLoop extends AgentEvent {

        /** The id of the loop, which tells the events of several loops apart. */
        String loopId();
    }

    /**
     * The branches of an evaluation begin.
     *
     * @param loopIds one per branch, in the order of the branches
     */
    record ParallelLoopStart(String sessionId, List<String> loopIds, Instant timestamp) implements AgentEvent {

        public ParallelLoopStart {
            loopIds = List.copyOf(loopIds);
        }
    }

    /**
     * The evaluation is over.
     *
     * @param selectedLoopId loop of the selected branch; null when no branch completed or nothing was to be selected
     * @param selectedIndex 0-based, into the branches; null with {@code selectedLoopId}
     * @param evaluationUsage tokens of the judge that are known; all 0 without one
     * @param unknownUsage how many of its answers did not report theirs completely; 0 in older events
     */
    record ParallelLoopEnd(
            String sessionId,
            @Nullable String selectedLoopId,
            @Nullable Integer selectedIndex,
            Usage evaluationUsage,
            long unknownUsage,
            Instant timestamp)
            implements AgentEvent {}

    /** A loop begins. Emitted once, also when another worker resumes the loop. */
    record AgentStart(String sessionId, String loopId, String provider, String model, Instant timestamp)
            implements OfLoop {}

    /**
     * A loop is over, whether it completed, failed or was cancelled.
     *
     * @param messages what it added to the context: the prompts and everything after them
     * @param usage tokens of all turns; null where those of any are not known
     * @param costUsd cost of all turns; null where it is not known
     * @param failure why it did not complete; null when it did
     */
    record AgentEnd(
            String sessionId,
            String loopId,
            OutcomeStatus status,
            List<Message> messages,
            Usage usage,
            @Nullable BigDecimal costUsd,
            @Nullable Failure failure,
            Instant timestamp)
            implements OfLoop {

        public AgentEnd {
            messages = List.copyOf(messages);
        }
    }

    /**
     * A turn begins: the model is asked next. Emitted again when the turn failed and is retried.
     *
     * @param turn from 1
     */
    record TurnStart(String sessionId, String loopId, int turn, Instant timestamp) implements OfLoop {}

    /**
     * A turn is over: the model answered, and the tools that it called did.
     *
     * @param turn from 1
     * @param toolResults one per tool call, in the order of the calls
     * @param usage tokens of this turn
     * @param costUsd cost of this turn; null where it is not known
     * @param latencyMs milliseconds that the model took
     */
    record TurnEnd(
            String sessionId,
            String loopId,
            int turn,
            Message message,
            List<Message> toolResults,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs,
            Instant timestamp)
            implements OfLoop {

        public TurnEnd {
            toolResults = List.copyOf(toolResults);
        }
    }

    /** A message begins. Another MessageStart without an end between them resets the message: the answer is made again. */
    record MessageStart(String sessionId, String loopId, Role role, Instant timestamp) implements OfLoop {}

    /**
     * A piece of the model's answer, emitted while it is made. The pieces of one block follow each other without gaps. An answer
     * that is begun again begins with another MessageStart, and its pieces at 0.
     *
     * @param part the kind of the piece; events of earlier builds lack it and hold text only
     * @param index of the block among the blocks of this part, from 0
     * @param toolName the tool that is called; null when the piece is of no tool call, or the model has not said it yet
     * @param offset UTF-16 code units of the block before this piece
     * @param delta text that follows the earlier pieces; of a tool call it is its arguments as JSON
     */
    record MessageUpdate(
            String sessionId,
            String loopId,
            Part part,
            int index,
            @Nullable String toolName,
            int offset,
            String delta,
            Instant timestamp)
            implements OfLoop {

        public MessageUpdate {
            part = Objects.requireNonNullElse(part, Part.TEXT);
        }

        /** The kind of a piece. */
        public enum Part {
            @JsonProperty("text")
            TEXT,
            @JsonProperty("thinking")
            THINKING,
            @JsonProperty("toolCall")
            TOOL_CALL
        }
    }

    /** A message is whole. */
    record MessageEnd(String sessionId, String loopId, Message message, Instant timestamp) implements OfLoop {}

    /**
     * A tool is about to run.
     *
     * @param toolCallId names the call; its result repeats it
     */
    record ToolExecutionStart(
            String sessionId, String loopId, String toolCallId, String toolName, JsonNode arguments, Instant timestamp)
            implements OfLoop {}

    /** A tool reports its progress. */
    record ToolExecutionUpdate(
            String sessionId, String loopId, String toolCallId, String toolName, String text, Instant timestamp)
            implements OfLoop {}

    /**
     * A tool is done.
     *
     * @param isError whether the tool failed, timed out or does not exist
     */
    record ToolExecutionEnd(
            String sessionId,
            String loopId,
            String toolCallId,
            String toolName,
            String result,
            boolean isError,
            Instant timestamp)
            implements OfLoop {}

    /** A notice or a warning, as a sentence for people. */
    record ProgressMessage(String sessionId, String loopId, String text, Instant timestamp) implements OfLoop {}

    /** An input filter refused the prompt; nothing was sent. */
    record InputRejected(String sessionId, String loopId, String reason, Instant timestamp) implements OfLoop {}

    /**
     * The conversation is about to be made shorter.
     *
     * @param tokens estimated tokens of what would be sent
     * @param budget estimated tokens that may be sent
     */
    record CompactionStarted(String sessionId, String loopId, long tokens, long budget, Instant timestamp)
            implements OfLoop {}

    /**
     * The conversation was made shorter; the outcome keeps it whole.
     *
     * @param tokensBefore estimated tokens before
     * @param tokensAfter estimated tokens after
     * @param budget estimated tokens that may be sent
     * @param satisfied whether {@code tokensAfter} is within the budget; if not, a ProgressMessage says so too
     */
    record CompactionEnded(
            String sessionId,
            String loopId,
            long tokensBefore,
            long tokensAfter,
            long budget,
            boolean satisfied,
            Instant timestamp)
            implements OfLoop {}
}

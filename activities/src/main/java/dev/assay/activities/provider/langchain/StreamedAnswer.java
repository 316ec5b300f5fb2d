package dev.assay.activities.provider.langchain;

import dev.assay.activities.model.AnswerListener;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.EOFException;
import org.jspecify.annotations.Nullable;

/** The listener of a streamed answer of LangChain4j: emits its pieces, and keeps the whole. */
final class StreamedAnswer implements StreamingChatResponseHandler {

    private final AnswerListener listener;
    private @Nullable ChatResponse response;
    private @Nullable Throwable error;

    StreamedAnswer(AnswerListener listener) {
        this.listener = listener;
    }

    @Override
    public void onPartialResponse(String text) {
        listener.piece(Part.TEXT, 0, null, text);
    }

    @Override
    public void onPartialThinking(PartialThinking thinking) {
        listener.piece(Part.THINKING, 0, null, thinking.text());
    }

    @Override
    public void onPartialToolCall(PartialToolCall call) {
        listener.piece(Part.TOOL_CALL, call.index(), call.name(), call.partialArguments());
    }

    @Override
    public void onCompleteResponse(ChatResponse complete) {
        response = complete;
    }

    @Override
    public void onError(Throwable reason) {
        error = error == null ? reason : error;
    }

    /**
     * The whole answer.
     *
     * @param events the stream, which is over
     * @param exchange receives the error when there is no answer
     */
    ChatResponse whole(AnswerEvents events, Exchange exchange) {
        if (error != null) {
            exchange.answered(Exchange.Answer.ok(events.last()));
            throw new IllegalStateException("An event of the stream cannot be read", error);
        }
        if (response == null || (!events.ended() && response.finishReason() == null)) {
            exchange.failed(new EOFException());
            throw new IllegalStateException("The stream was cut");
        }
        return response;
    }
}

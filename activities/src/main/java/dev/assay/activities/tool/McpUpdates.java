package dev.assay.activities.tool;

import dev.assay.domain.text.Excerpt;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.McpClientListener;
import dev.langchain4j.mcp.client.progress.McpProgressHandler;
import dev.langchain4j.mcp.client.progress.McpProgressNotification;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Brings a server's progress reports to the caller of the tool. The client names calls by the ids of its messages. */
final class McpUpdates implements McpClientListener, McpProgressHandler {

    private static final String LISTENER = "updates";
    private static final int MAX_CHARACTERS = 300;

    private final Map<String, Consumer<String>> byToken = new ConcurrentHashMap<>();

    /** A call whose updates {@code listener} receives. */
    static InvocationContext toldTo(Consumer<String> listener) {
        return InvocationContext.builder()
                .invocationParameters(InvocationParameters.from(LISTENER, listener))
                .build();
    }

    @Override
    public void beforeExecuteTool(McpCallContext call) {
        Consumer<String> listener =
                call.invocationContext().invocationParameters().get(LISTENER);
        byToken.put(token(call), listener);
    }

    @Override
    public void afterExecuteTool(McpCallContext call, ToolExecutionResult result, Map<String, Object> raw) {
        byToken.remove(token(call));
    }

    @Override
    public void onExecuteToolError(McpCallContext call, Throwable error) {
        byToken.remove(token(call));
    }

    private static String token(McpCallContext call) {
        return String.valueOf(call.message().getId());
    }

    @Override
    public void onProgress(McpProgressNotification notification) {
        Consumer<String> listener = byToken.get(notification.progressToken());
        if (listener != null) {
            listener.accept(text(notification));
        }
    }

    /** The server's message, else its progress: "3 of 10". */
    private static String text(McpProgressNotification notification) {
        String message = notification.message();
        if (message != null && !message.isBlank()) {
            return Excerpt.of(message, MAX_CHARACTERS);
        }
        Double total = notification.total();
        return number(notification.progress()) + (total == null ? "" : " of " + number(total));
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : String.valueOf(value);
    }
}

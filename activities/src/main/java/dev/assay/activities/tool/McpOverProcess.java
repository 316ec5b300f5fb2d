package dev.assay.activities.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
import dev.langchain4j.mcp.protocol.McpListToolsRequest;
import dev.langchain4j.mcp.transport.stdio.JsonRpcIoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * MCP over the standard input and output of a process. The library's own transport reads lines of any length. What the process
 * writes to its standard error is dropped unread.
 */
final class McpOverProcess implements McpTransport {

    private final List<String> command;
    private final AtomicInteger pages = new AtomicInteger();
    private @Nullable Process process;
    private @Nullable JsonRpcIoHandler lines;
    private @Nullable McpOperationHandler operations;
    private volatile @Nullable String ended;

    McpOverProcess(List<String> command) {
        this.command = command;
    }

    @Override
    public void start(McpOperationHandler handler) {
        try {
            Process started = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            JsonRpcIoHandler io = new JsonRpcIoHandler(
                    McpAnswers.bounded(started.getInputStream()), started.getOutputStream(), handler::handle, false);
            process = started;
            lines = io;
            operations = handler;
            Thread.ofVirtual().name("mcp").start(() -> read(io, started, handler));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(JsonRpcIoHandler io, Process started, McpOperationHandler handler) {
        String end = "The MCP server has ended";
        try {
            io.run();
        } catch (RuntimeException e) {
            end = e.getCause() instanceof IOException cause ? String.valueOf(cause.getMessage()) : String.valueOf(e);
        }
        ended = end;
        started.destroy();
        handler.cancelAllPendingOperations(end);
    }

    @Override
    public CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        return execute(request).thenApply(answer -> {
            executeOperationWithoutResponse(new McpInitializationNotification());
            return answer;
        });
    }

    @Override
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpClientMessage request) {
        return execute(request);
    }

    @Override
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext context) {
        return execute(context.message());
    }

    @Override
    public void executeOperationWithoutResponse(McpClientMessage request) {
        var _ = execute(request);
    }

    @Override
    public void executeOperationWithoutResponse(McpCallContext context) {
        var _ = execute(context.message());
    }

    private CompletableFuture<JsonNode> execute(McpClientMessage message) {
        JsonRpcIoHandler io = lines;
        McpOperationHandler handler = operations;
        if (io == null || handler == null) {
            throw new IllegalStateException("The transport was not started");
        }
        if (message instanceof McpListToolsRequest && pages.incrementAndGet() > McpAnswers.MAX_PAGES) {
            return CompletableFuture.failedFuture(new IOException(McpAnswers.TOO_MANY_PAGES));
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Long id = message.getId();
        if (id != null) {
            handler.startOperation(id, answer);
        }
        try {
            io.submit(Json.mapper().writeValueAsString(message));
        } catch (JsonProcessingException e) {
            answer.completeExceptionally(e);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        String end = ended;
        if (end != null) {
            answer.completeExceptionally(new IOException(end));
        }
        return answer;
    }

    @Override
    public void checkHealth() {
        if (ended != null) {
            throw new IllegalStateException(ended);
        }
    }

    @Override
    public void onFailure(Runnable action) {
        // A session that fails is not begun again: the next loop opens its own.
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
        if (process != null) {
            process.destroy();
        }
    }
}

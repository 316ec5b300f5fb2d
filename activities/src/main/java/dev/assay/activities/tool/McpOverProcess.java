package dev.assay.activities.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.work.child.ChildProcess;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpClientRequest;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
import dev.langchain4j.mcp.transport.stdio.JsonRpcIoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP over the standard input and output of a process. The library's own transport reads lines of any length. What the process
 * writes to its standard error is dropped unread.
 */
final class McpOverProcess extends McpExchange {

    private static final Logger LOG = LoggerFactory.getLogger(McpOverProcess.class);

    /** Messages that wait for a process that reads none. */
    private static final int MAX_WAITING = 100;

    private final List<String> command;
    private final Map<String, String> environment;
    private final ProcessEnds ends;

    /** The one thread that a process blocks which does not read its input; no caller waits. */
    private final ExecutorService writer = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            Thread.ofVirtual().name("mcp-writer").factory());

    private @Nullable Process process;
    private @Nullable JsonRpcIoHandler lines;
    private @Nullable McpOperationHandler operations;
    private volatile @Nullable String ended;

    /** @param environment what the process sees, and nothing else: the worker's own holds the keys of providers */
    McpOverProcess(List<String> command, Map<String, String> environment, ProcessEnds ends) {
        this.command = command;
        this.environment = Map.copyOf(environment);
        this.ends = ends;
    }

    @Override
    public void start(McpOperationHandler handler) {
        try {
            Process started = ChildProcess.with(command, environment)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            JsonRpcIoHandler io = new JsonRpcIoHandler(
                    McpAnswers.boundedStream(started.getInputStream()),
                    started.getOutputStream(),
                    handler::handle,
                    false);
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
        return send(request).thenApply(answer -> {
            executeOperationWithoutResponse(new McpInitializationNotification());
            return answer;
        });
    }

    @Override
    CompletableFuture<JsonNode> send(McpClientMessage message) {
        JsonRpcIoHandler io = lines;
        McpOperationHandler handler = operations;
        if (io == null || handler == null) {
            throw new IllegalStateException("The transport was not started");
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        // An answer to the server bears an id too, of the server's.
        Long id = message instanceof McpClientRequest request ? request.getId() : null;
        if (id != null) {
            handler.startOperation(id, answer);
        }
        try {
            String line = Json.mapper().writeValueAsString(message);
            writer.execute(() -> write(io, line, answer));
        } catch (JsonProcessingException e) {
            answer.completeExceptionally(e);
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new IOException("The MCP server does not read what it is told", e));
        }
        String end = ended;
        if (end != null) {
            answer.completeExceptionally(new IOException(end));
        }
        return answer;
    }

    private static void write(JsonRpcIoHandler io, String line, CompletableFuture<JsonNode> answer) {
        try {
            io.submit(line);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public void checkHealth() {
        if (ended != null) {
            throw new IllegalStateException(ended);
        }
    }

    /** Returns at once. */
    @Override
    public void close() {
        Process last = process;
        JsonRpcIoHandler io = lines;
        writer.shutdownNow();
        if (last != null && io != null) {
            ends.end(
                    Stream.concat(last.descendants(), Stream.of(last.toHandle()))
                            .toList(),
                    () -> close(io));
        }
    }

    /** After the end of the process: closing its pipe would wait for one that does not read. */
    private static void close(JsonRpcIoHandler io) {
        try {
            io.close();
        } catch (IOException e) {
            LOG.debug("The pipes of an MCP server did not close well", e);
        }
    }
}

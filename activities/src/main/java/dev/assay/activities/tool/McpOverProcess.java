package dev.assay.activities.tool;

import dev.assay.activities.http.Lines;
import dev.assay.domain.json.Json;
import dev.assay.work.child.ChildProcess;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * MCP over the standard input and output of a process. What the process writes to its standard error is dropped unread, and so is
 * what is no JSON in its standard output.
 */
final class McpOverProcess extends McpExchange {

    private static final Logger LOG = LoggerFactory.getLogger(McpOverProcess.class);

    /** Messages that wait for a process that reads none. */
    private static final int MAX_WAITING = 100;

    private static final int BUFFER = 16 * 1024;

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

    private volatile @Nullable Process process;
    private volatile @Nullable String ended;

    /**
     * @param environment what the process sees, and nothing else: the worker's own holds the keys of providers
     * @param limit the time of each message but the first
     */
    McpOverProcess(List<String> command, Map<String, String> environment, ProcessEnds ends, Duration limit) {
        super(limit);
        this.command = command;
        this.environment = Map.copyOf(environment);
        this.ends = ends;
    }

    @Override
    void start() {
        try {
            Process started = ChildProcess.with(command, environment)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process = started;
            Thread.ofVirtual().name("mcp").start(() -> read(started));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Process started) {
        String end = "The MCP server has ended";
        Lines lines = new Lines(MAX_MESSAGE, MAX_STREAM, this::read);
        byte[] bytes = new byte[BUFFER];
        try (InputStream output = started.getInputStream()) {
            for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
                lines.take(bytes, count);
            }
            lines.end();
        } catch (IOException e) {
            end = String.valueOf(e.getMessage());
        }
        ended = end;
        started.destroy();
        fail(end);
    }

    private void read(String line) throws IOException {
        try {
            receive(Json.tree(line));
        } catch (RuntimeException e) {
            LOG.debug("An MCP server wrote a line that is no message", e);
        }
    }

    @Override
    void transmit(JSONRPCMessage message, CompletableFuture<Void> done) {
        OutputStream input = Objects.requireNonNull(process).getOutputStream();
        byte[] line = (Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            writer.execute(() -> write(input, line, message, done));
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(new IOException("The MCP server does not read what it is told", e));
        }
        // The reader may have looked for those who wait before this one did.
        String end = ended;
        if (end != null) {
            done.completeExceptionally(new IOException(end));
        }
    }

    private void write(OutputStream input, byte[] line, JSONRPCMessage message, CompletableFuture<Void> done) {
        try {
            input.write(line);
            input.flush();
            if (!(message instanceof JSONRPCRequest)) {
                done.complete(null);
            }
        } catch (IOException e) {
            String end = ended;
            done.completeExceptionally(end == null ? e : new IOException(end));
        }
    }

    @Override
    void end() {
        Process last = process;
        writer.shutdownNow();
        if (last != null) {
            ends.end(
                    Stream.concat(last.descendants(), Stream.of(last.toHandle()))
                            .toList(),
                    () -> close(last));
        }
    }

    /** After the end of the process: closing its pipe would wait for one that does not read. */
    private static void close(Process ended) {
        try {
            ended.getOutputStream().close();
            ended.getInputStream().close();
        } catch (IOException e) {
            LOG.debug("The pipes of an MCP server did not close well", e);
        }
    }
}

package dev.assay.work.compute.pool;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.work.child.ChildProcess;
import dev.assay.work.compute.NamedDefinition;
import dev.assay.work.compute.process.Frames;
import dev.assay.work.compute.process.Greeting;
import dev.assay.work.compute.process.KeptDefinitions;
import dev.assay.work.compute.process.ReplyFrame;
import dev.assay.work.compute.process.TaskFrame;
import dev.assay.work.confine.Background;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A compute process, seen from its parent. What it says is untrusted. */
final class ComputeChild {

    private static final Logger LOG = LoggerFactory.getLogger(ComputeChild.class);

    private static final FrameReader<Greeting> GREETINGS = new FrameReader<>(new TypeReference<>() {});
    private static final FrameReader<ReplyFrame<JsonNode>> REPLIES = new FrameReader<>(new TypeReference<>() {});

    /** Bytes of its standard error that are kept for the log. */
    private static final int KEPT_ERRORS = 64 << 10;

    private final Process process;
    private final OutputStream in;
    private final DataInputStream out;
    private final KeptDefinitions<String> kept = new KeptDefinitions<>(String::length);
    private final StringBuilder errors = new StringBuilder();
    private long number;
    private volatile boolean isBehind;

    private ComputeChild(Process process) {
        this.process = process;
        this.in = process.getOutputStream();
        this.out = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        Thread.ofPlatform()
                .daemon()
                .name("compute-errors")
                .stackSize(128 << 10)
                .start(() -> keepErrors(process.getErrorStream()));
    }

    /** Starts a process in an empty directory. It is not yet known whether it works; see {@link #greet}. */
    static ComputeChild start(List<String> command, Path directory) throws IOException {
        return new ComputeChild(ChildProcess.seeingOnly(command, "LANG")
                .directory(directory.toFile())
                .start());
    }

    private void keepErrors(InputStream stream) {
        byte[] buffer = new byte[4096];
        try (stream) {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                keep(new String(buffer, 0, read, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            LOG.debug("The standard error of a compute process ended", e);
        }
    }

    private void keep(String text) {
        synchronized (errors) {
            if (errors.length() < KEPT_ERRORS) {
                errors.append(text);
            }
        }
    }

    /**
     * Waits for the first frame.
     *
     * @return the build that it was started from
     * @throws IOException when it ends before, or says something else
     */
    String greet() throws IOException {
        return GREETINGS.read(receive()).build();
    }

    /**
     * Sends a task and says its number. Definitions that the process keeps are not sent again.
     *
     * @param singly whether each answer comes at once; else several together
     */
    long send(String kind, List<NamedDefinition> definitions, Object input, boolean singly) throws IOException {
        Map<String, String> missing = new LinkedHashMap<>();
        for (NamedDefinition definition : definitions) {
            kept.use(definition.hash(), hash -> {
                missing.put(hash, definition.text());
                return definition.text();
            });
        }
        kept.shrink();
        number++;
        List<String> hashes = definitions.stream().map(NamedDefinition::hash).toList();
        TaskFrame frame = new TaskFrame(number, kind, hashes, missing, input, singly);
        Frames.write(in, Json.bytes(frame), Frames.MAX_TASK);
        in.flush();
        return number;
    }

    /**
     * Waits for the next answer.
     *
     * @throws Frames.TooLongException when it has more bytes than it may
     */
    ReplyFrame<JsonNode> reply() throws IOException {
        return REPLIES.read(receive());
    }

    private byte[] receive() throws IOException {
        byte[] frame = Frames.read(out, Frames.MAX_REPLY);
        if (frame == null) {
            throw new EOFException("The compute process ended");
        }
        return frame;
    }

    /** The time of processors that it has taken; null: the system does not say. */
    @Nullable
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(null);
    }

    /** Puts it behind other processes for good: what takes long has time. */
    void putBehind() {
        isBehind = true;
        try {
            Background.move(process.pid());
        } catch (IOException e) {
            LOG.debug("A compute process keeps its priority", e);
        }
    }

    /** Whether other processes come first. */
    boolean isBehind() {
        return isBehind;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Kills it; it cannot refuse. */
    void kill() {
        process.destroyForcibly();
    }

    /** Lets a process end that has no task: it ends with its input. */
    void dismiss() {
        try {
            in.close();
        } catch (IOException e) {
            LOG.debug("A compute process had ended", e);
        }
        var _ = process.onExit().orTimeout(1, TimeUnit.SECONDS).whenComplete((_, _) -> kill());
    }

    /** Ends the input of a process, and waits for its end. */
    void finish(long time, TimeUnit unit) throws IOException, InterruptedException {
        in.close();
        if (!process.waitFor(time, unit) || process.exitValue() != 0) {
            kill();
            throw new IOException("The process did not end well: " + errors());
        }
    }

    /** The exit code of a process that ends, or is killed a second later. */
    int exitCode() throws InterruptedIOException {
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                kill();
                process.waitFor();
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            InterruptedIOException interrupt = new InterruptedIOException("The pool is closed");
            interrupt.initCause(e);
            throw interrupt;
        }
    }

    /** The beginning of what it wrote to its standard error. */
    String errors() {
        synchronized (errors) {
            return errors.toString().strip();
        }
    }
}

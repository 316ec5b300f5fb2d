package dev.assay.activities.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.command.LiveProgram;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A process that runs own code. It answers one request at a time, each in one line. */
final class CodeProcess implements AutoCloseable {

    /** The bytes of a result, where its request asks for no more. */
    private static final int MOST_RESULT = 1 << 20;

    /** The bytes of what stands around it. */
    private static final int AROUND = 1 << 14;

    private static final int MOST_REPLY = MOST_RESULT + AROUND;

    private static final int MOST_REQUESTS = 10_000;

    /** Requests between two looks at its memory. */
    private static final int LOOK_EVERY = 100;

    private static final long MOST_MEMORY_KB = 1 << 20;

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_SAY_WHY = Duration.ofMillis(200);

    /** The streams of a process block, so each request has a thread of the system's. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("code-", 0).factory());

    private final CodePlace place;
    private final LiveProgram program;
    private final InputStream replies;
    private long requests;
    private volatile boolean isSpent;
    private @Nullable Interpreter interpreter;

    CodeProcess(CodePlace place, LiveProgram program) {
        this.place = place;
        this.program = program;
        this.replies = new BufferedInputStream(program.output());
    }

    /** What greeted; null: nothing has. */
    @Nullable
    Interpreter interpreter() {
        return interpreter;
    }

    CodePlace place() {
        return place;
    }

    /** Whether it may serve a further request. */
    boolean isUsable() {
        return place.stays()
                && !isSpent
                && program.isAlive()
                && requests < MOST_REQUESTS
                && (requests % LOOK_EVERY != 0 || memoryKb() < MOST_MEMORY_KB);
    }

    /** The memory that its process has now; 0 where the system does not say. */
    private long memoryKb() {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(program.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(0);
        } catch (IOException _) {
            // It has ended, or this is no Linux.
            return 0;
        }
    }

    /**
     * Waits until the interpreter of a language is there.
     *
     * @return what it says of itself
     * @throws IOException with the reason when it does not answer, or is too old
     */
    Interpreter greet(CodeLanguage language) throws IOException, InterruptedException {
        CodeReply reply = ask(Json.mapper().createObjectNode().put("call", "hello"), TO_START)
                .reply();
        return switch (reply) {
            case CodeReply.Returned(JsonNode hello, String _) -> {
                interpreter = usable(language, Interpreter.of(language, hello));
                yield interpreter;
            }
            case CodeReply.Raised(String message) -> throw new IOException(message);
            case CodeReply.NotRun(String message) -> throw new IOException(message);
        };
    }

    private static Interpreter usable(CodeLanguage language, Interpreter interpreter) throws IOException {
        String problem = language.refusal(interpreter.version(), WorkerIdentity.hostName());
        if (problem != null) {
            throw new IOException(problem);
        }
        return interpreter;
    }

    /** Has a request answered. A process without an answer within {@code atMost} is killed. */
    CodeAnswer ask(ObjectNode json, Duration atMost) throws InterruptedException {
        requests++;
        byte[] line =
                Json.bytes(Json.mapper().createObjectNode().put("id", requests).setAll(json));
        int mostReply = json.path("most").asInt(MOST_RESULT) + AROUND;
        return within(atMost, () -> {
            OutputStream target = program.input();
            target.write(line);
            target.write('\n');
            target.flush();
            return reply(line(mostReply), requests, mostReply);
        });
    }

    /**
     * Has its only request answered: it reads {@code argument} to the end, and prints its answer until it ends.
     *
     * @param read the reply that its output is
     */
    CodeAnswer askOnce(ObjectNode argument, Function<String, CodeReply> read, Duration atMost)
            throws InterruptedException {
        byte[] text = Json.bytes(argument);
        return within(atMost, () -> {
            try (OutputStream target = program.input()) {
                target.write(text);
            } catch (IOException _) {
                // It did not read all, which is its right: what it prints decides.
            }
            return printed(replies.readNBytes(MOST_REPLY + 1), read);
        });
    }

    private void kill() {
        isSpent = true;
        program.kill();
    }

    private CodeAnswer within(Duration atMost, Callable<CodeAnswer> asking) throws InterruptedException {
        long start = System.nanoTime();
        CodeAnswer answer = bounded(atMost, asking);
        return answer.within(Duration.ofNanos(System.nanoTime() - start));
    }

    private CodeAnswer bounded(Duration atMost, Callable<CodeAnswer> asking) throws InterruptedException {
        Future<CodeAnswer> answer = THREADS.submit(asking);
        try {
            return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            kill();
            return CodeAnswer.ended(
                    CodeAnswer.End.OUT_OF_TIME,
                    "The code took more than %d s and was stopped.".formatted(atMost.toSeconds()));
        } catch (ExecutionException e) {
            kill();
            return died(e.getCause());
        } catch (InterruptedException e) {
            kill();
            throw e;
        }
    }

    private CodeAnswer died(@Nullable Throwable cause) throws InterruptedException {
        if (!(cause instanceof IOException)) {
            throw new IllegalStateException("A request to own code failed", cause);
        }
        Integer code = program.exitCode(TO_SAY_WHY);
        String end = code == null ? "" : " with exit code " + code;
        return CodeAnswer.ended(
                CodeAnswer.End.DIED,
                "The process of " + place.name() + " ended" + end + " before it answered" + said());
    }

    private String said() throws InterruptedException {
        String said = program.said();
        return said.isEmpty() ? "." : ": " + Excerpt.of(StorableText.of(said));
    }

    /** One line of its output, without its end. */
    private byte[] line(int mostReply) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw new IOException("The stream ended");
            }
            if (line.size() == mostReply) {
                kill();
                break;
            }
            line.write(next);
        }
        return line.toByteArray();
    }

    private CodeAnswer reply(byte[] line, long id, int mostReply) {
        String text = new String(line, StandardCharsets.UTF_8);
        JsonNode reply = line.length == mostReply ? null : CodeReply.json(text);
        if (reply != null && reply.path("id").isNumber() && reply.path("id").asLong() == id) {
            return new CodeAnswer(CodeReply.read(reply));
        }
        kill();
        return CodeAnswer.useless(
                line.length == mostReply
                        ? "The code gave a reply of more than %d MiB.".formatted(mostReply >> 20)
                        : "The process of the code printed a line that is no reply to its request: "
                                + Excerpt.of(StorableText.of(text)));
    }

    /**
     * What a program printed. How it ended is waited for as long as it may take: on a busy system its end comes well after its output's.
     */
    private CodeAnswer printed(byte[] output, Function<String, CodeReply> read) throws InterruptedException {
        if (output.length > MOST_REPLY) {
            kill();
            return CodeAnswer.useless("The code printed more than 1 MiB.");
        }
        int code = program.awaitEnd();
        if (code == 0) {
            return new CodeAnswer(read.apply(new String(output, StandardCharsets.UTF_8)));
        }
        String how = program.hasStarted() ? " ended with exit code " + code : " could not be started";
        return CodeAnswer.useless(place.name() + how + said());
    }

    /** Kills it, and deletes its files. */
    @Override
    public void close() {
        program.close();
    }
}

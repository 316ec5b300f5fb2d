package dev.assay.web.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.ReadingSteps;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.work.BoundedWork;
import dev.assay.work.WorkLimits;
import dev.assay.work.WorkTimedOutException;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.DefinitionTask;
import dev.assay.work.compute.PreviewTask;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the documents that requests bring. Reading runs on a pool of its own, each piece within its limits. So a document that
 * takes long holds up only other requests that bring documents. What a document defines is judged in compute processes.
 *
 * <p>It is no {@code MessageBodyReader}: those run on the threads of connections, and do not know the request that holds the
 * memory of its body.
 */
@Singleton
public final class RequestReader {

    private static final WorkLimits LIMITS = new WorkLimits(Duration.ofSeconds(10), Duration.ofSeconds(120));
    private static final Duration RETRY = Duration.ofSeconds(5);

    /** The queue in which documents wait their turn. */
    private static final String QUEUE = "documents";

    private final BoundedWork work = new BoundedWork("request");
    private final Computing computing;

    RequestReader(Computing computing) {
        this.computing = computing;
    }

    /** Whether no thread was free for long: documents are refused until one is. */
    public boolean isBusy() {
        return work.isBusy();
    }

    /**
     * Reads {@code body}: JSON where the Content-Type says so, else YAML or JSON.
     *
     * @throws AssayException MALFORMED_INPUT when it is not UTF-8 or not what its type says, with line and column; INVALID_INPUT
     *     when reading takes too long
     */
    public JsonNode document(HttpRequest<?> request, byte[] body) {
        boolean json = request.getContentType()
                .filter(MediaType.APPLICATION_JSON_TYPE::matches)
                .isPresent();
        return onThread("Parsing the document", () -> {
            String text = text(body);
            TreeMemory memory = new TreeMemory(request, text);
            return json ? DocumentText.parseJsonOnly(text) : DocumentText.parse(text, memory::step);
        });
    }

    /**
     * Reads a body of a few fields, as {@link #document} does, and refuses what could not be stored.
     *
     * @throws AssayException as {@link #document}; INVALID_INPUT with everything that could not be stored
     */
    public JsonNode small(HttpRequest<?> request, byte[] body) {
        return storable(document(request, body));
    }

    /**
     * Reads a JSON body of a few fields that may be left out, which is the same as an empty object.
     *
     * @throws AssayException MALFORMED_INPUT when it is not JSON, with line and column; INVALID_INPUT with everything that could
     *     not be stored
     */
    public JsonNode optional(@Nullable String body) {
        return body == null || body.isBlank()
                ? JsonNodeFactory.instance.objectNode()
                : storable(onThread("Parsing the document", () -> DocumentText.parseJsonOnly(body)));
    }

    /**
     * Reads a document that was parsed. What it defines is judged in compute processes: it is read once, and again when something is
     * wrong, to say where.
     *
     * @param what names it at the beginning of a sentence
     * @throws AssayException what {@code reading} throws; INVALID_INPUT when it takes too long or too deep a nesting; SERVER_BUSY when
     *     no thread is free for long
     */
    public <T> T read(String what, Supplier<T> reading) {
        DocumentDefinitions definitions = new DocumentDefinitions();
        while (true) {
            Attempt<T> attempt = onThread(what, () -> Attempt.of(() -> Definitions.judgedBy(definitions, reading)));
            if (definitions.areJudged()) {
                return attempt.result();
            }
            boolean allRight = judge(definitions);
            if (allRight && attempt.failure == null) {
                return attempt.result();
            }
        }
    }

    /** Whether no definition that was asked for is wrong. */
    private boolean judge(DocumentDefinitions definitions) {
        List<Definition> asked = definitions.unknown();
        return definitions.learn(asked, computed(new DefinitionTask(asked)));
    }

    /**
     * The preview of what a judge would read.
     *
     * @throws AssayException INVALID_INPUT with everything that is wrong, or when it takes too much
     */
    public JudgePreview preview(JsonNode document) {
        return switch (computed(new PreviewTask(document)).getFirst()) {
            case Computed.Done<PreviewTask.Previewed>(var previewed)
            when previewed.preview() != null -> previewed.preview();
            case Computed.Done<PreviewTask.Previewed>(var previewed) ->
                throw AssayException.invalid(
                        String.valueOf(previewed.problem()), previewed.errors(), previewed.moreErrors());
            case Computed.Stopped<PreviewTask.Previewed>(Stop stop) ->
                throw new AssayException(ErrorCode.INVALID_INPUT, stop.sentence("The preview"));
        };
    }

    private <R> List<Computed<R>> computed(Task<R> task) {
        if (computing.isDown()) {
            throw AssayException.busy("The server cannot start the processes that check documents", RETRY);
        }
        try {
            return computing.run(QUEUE, task);
        } catch (InterruptedException e) {
            throw stops(e);
        } catch (CancellationException e) {
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, "The server stops: try again later", e);
        }
    }

    private static AssayException stops(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssayException(ErrorCode.STORE_UNAVAILABLE, "The server stops: try again later", e);
    }

    /** One reading: its value, or what it found wrong. */
    private record Attempt<T>(@Nullable T value, @Nullable AssayException failure) {

        static <T> Attempt<T> of(Supplier<T> reading) {
            try {
                return new Attempt<>(reading.get(), null);
            } catch (AssayException e) {
                return new Attempt<>(null, e);
            }
        }

        T result() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(value);
        }
    }

    private <T> T onThread(String what, Supplier<T> reading) {
        if (work.isBusy()) {
            throw AssayException.busy("The server reads documents that take long; send this one again later", RETRY);
        }
        try {
            return work.run(what, LIMITS, () -> ReadingSteps.watched(RequestReader::heedInterrupt, reading));
        } catch (WorkTimedOutException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.getMessage() + ": send a smaller document", e);
        } catch (StackOverflowError e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The document is nested too deep: make it flatter", e);
        } catch (InterruptedException e) {
            throw stops(e);
        }
    }

    @PreDestroy
    void close() {
        work.close();
    }

    private static void heedInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The reading was given up");
        }
    }

    private static JsonNode storable(JsonNode document) {
        Problems problems = new Problems();
        if (DocumentLimits.isShallow(document, "", problems)) {
            DocumentLimits.check(document, "", problems);
        }
        problems.throwIfAny("document");
        return document;
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AssayException(ErrorCode.MALFORMED_INPUT, "The body is not UTF-8", e);
        }
    }
}

package dev.assay.web.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.BoundedWork;
import dev.assay.work.WorkTimedOutException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader of the documents that requests bring. Everything that only computes runs on a pool of its own, each piece for at most
 * ten seconds. So a document that takes long holds up only other requests that bring documents.
 *
 * <p>It is no {@code MessageBodyReader}: those run on the threads of connections, and do not know the request that holds the
 * memory of its body.
 */
@Singleton
public final class RequestReader {

    private static final Logger LOG = LoggerFactory.getLogger(RequestReader.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final BoundedWork work = new BoundedWork("request", this::exhaust);
    private volatile boolean exhausted;

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
        return compute("Parsing the document", () -> {
            String text = text(body);
            TreeMemory memory = new TreeMemory(request, text);
            return json
                    ? DocumentText.parseJsonOnly(text)
                    : DocumentText.parse(text, () -> {
                        heedInterrupts();
                        memory.step();
                    });
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
                : storable(compute("Parsing the document", () -> DocumentText.parseJsonOnly(body)));
    }

    /**
     * Runs what only computes.
     *
     * @param what names it at the beginning of a sentence
     * @throws AssayException INVALID_INPUT when it takes more than ten seconds or too deep a nesting
     */
    public <T> T compute(String what, Supplier<T> reading) {
        if (exhausted) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE, "Documents that never end took the server's threads: restart it");
        }
        try {
            return work.run(what, LIMIT, reading::get);
        } catch (WorkTimedOutException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.getMessage() + ": send a smaller document", e);
        } catch (StackOverflowError e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "The document is nested too deep: make it flatter", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, "The server stops: try again later", e);
        }
    }

    private void exhaust() {
        exhausted = true;
        LOG.error("Documents that never end took the threads that read documents: restart this server");
    }

    @PreDestroy
    void close() {
        work.close();
    }

    private static void heedInterrupts() {
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

package dev.assay.web.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The document that a request brings. */
public final class RequestDocument {

    private RequestDocument() {}

    /**
     * Reads {@code body}: JSON where the Content-Type says so, else YAML or JSON.
     *
     * @throws AssayException MALFORMED_INPUT when it is not UTF-8 or not what its type says, with line and column
     */
    public static JsonNode read(HttpRequest<?> request, byte[] body) {
        String text = text(body);
        boolean json = request.getContentType()
                .filter(MediaType.APPLICATION_JSON_TYPE::matches)
                .isPresent();
        return json ? DocumentText.parseJsonOnly(text) : DocumentText.parse(text);
    }

    /**
     * Reads a JSON body that may be left out, which is the same as an empty object.
     *
     * @throws AssayException MALFORMED_INPUT when it is not JSON, with line and column
     */
    public static JsonNode readOptional(@Nullable String body) {
        return body == null || body.isBlank()
                ? JsonNodeFactory.instance.objectNode()
                : DocumentText.parseJsonOnly(body);
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

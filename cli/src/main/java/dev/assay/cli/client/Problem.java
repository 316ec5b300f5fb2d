package dev.assay.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Problem documents (RFC 9457) as the exceptions that they were on the server. */
final class Problem {

    private Problem() {}

    static AssayException of(String body, int status) {
        try {
            return of(Json.mapper().readTree(body), status);
        } catch (JsonProcessingException e) {
            return new AssayException(ErrorCode.INTERNAL, "The server answered " + status + " without saying why", e);
        }
    }

    private static AssayException of(JsonNode document, int status) {
        String detail = document.path("detail").asText("");
        String title = document.path("title").asText("");
        String said = !detail.isBlank() ? detail : !title.isBlank() ? title : "The server answered " + status;
        List<FieldError> errors = new ArrayList<>();
        document.path("errors")
                .forEach(error -> errors.add(new FieldError(
                        error.path("path").asText(""), error.path("message").asText(""))));
        int more = document.path("moreErrors").asInt(0);
        return errors.isEmpty()
                ? new AssayException(code(document, ErrorCode.INTERNAL), said)
                : AssayException.refused(code(document, ErrorCode.INVALID_INPUT), said, errors, Math.max(0, more));
    }

    private static ErrorCode code(JsonNode document, ErrorCode otherwise) {
        String name = document.path("code").asText("");
        return Stream.of(ErrorCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst()
                .orElse(otherwise);
    }
}

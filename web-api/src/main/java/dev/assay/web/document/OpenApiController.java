package dev.assay.web.document;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document. The compiler generates it from the controllers. It refers to nothing outside itself. */
@Controller("/openapi")
@ExecuteOn(TaskExecutors.BLOCKING)
@Hidden
final class OpenApiController {

    private @Nullable String text;

    /** As YAML, unless the client asks for JSON, which is YAML, too. */
    @Get(produces = {MediaType.APPLICATION_YAML, MediaType.APPLICATION_JSON})
    HttpResponse<String> openApi(HttpHeaders headers) throws IOException {
        return HttpResponse.ok(text())
                .contentType(
                        headers.accept().contains(MediaType.APPLICATION_JSON_TYPE)
                                ? MediaType.APPLICATION_JSON_TYPE
                                : MediaType.APPLICATION_YAML_TYPE);
    }

    private synchronized String text() throws IOException {
        if (text == null) {
            text = OpenApiText.text();
        }
        return text;
    }
}

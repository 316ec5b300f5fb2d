package dev.assay.web.document;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.core.io.ResourceResolver;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The OpenAPI document, which is generated from the controllers when they are compiled. */
@Controller("/openapi")
@ExecuteOn(TaskExecutors.BLOCKING)
@Hidden
final class OpenApiController {

    private static final String RESOURCE = "classpath:META-INF/swagger/assay.yml";

    private final ResourceResolver resources;

    OpenApiController(ResourceResolver resources) {
        this.resources = resources;
    }

    /** As YAML, unless the client asks for JSON. */
    @Get(produces = {MediaType.APPLICATION_YAML, MediaType.APPLICATION_JSON})
    HttpResponse<String> openApi(HttpHeaders headers) throws IOException {
        return headers.accept().contains(MediaType.APPLICATION_JSON_TYPE)
                ? HttpResponse.ok(CampaignDocument.parse(yaml()).toPrettyString())
                        .contentType(MediaType.APPLICATION_JSON_TYPE)
                : HttpResponse.ok(yaml()).contentType(MediaType.APPLICATION_YAML_TYPE);
    }

    private String yaml() throws IOException {
        try (InputStream resource = resources
                .getResourceAsStream(RESOURCE)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "This build has no OpenAPI document"))) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

package dev.assay.web.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document. The compiler generates it from the controllers. It refers to nothing outside itself. */
@Controller("/openapi")
@ExecuteOn(TaskExecutors.BLOCKING)
@Hidden
final class OpenApiController {

    private static final String RESOURCE = "classpath:META-INF/swagger/assay.yml";
    private static final String SCHEMAS = "classpath:schemas/";

    private final ResourceResolver resources;
    private @Nullable String text;

    OpenApiController(ResourceResolver resources) {
        this.resources = resources;
    }

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
            Map<String, ObjectNode> files = new TreeMap<>();
            for (String file : OpenApiDocument.files()) {
                files.put(file, tree(SCHEMAS + file));
            }
            text = OpenApiDocument.of(tree(RESOURCE), files).toPrettyString();
        }
        return text;
    }

    private ObjectNode tree(String name) throws IOException {
        try (InputStream resource = resources
                .getResourceAsStream(name)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "This build has no " + name))) {
            return (ObjectNode) CampaignDocument.parse(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}

package dev.assay.web;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.info.License;

/** The OpenAPI document's description of the whole interface. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Assay",
                        // The document that is served has the version of the build.
                        version = "1",
                        description = "Evaluation campaigns for LLMs and agents: create, watch, steer, read results. "
                                + "Errors are problem documents (RFC 9457) with a stable code.",
                        license = @License(name = "Apache-2.0")))
final class ApiDescription {

    private ApiDescription() {}
}

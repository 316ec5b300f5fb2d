package dev.assay.web;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;

/** The OpenAPI document's description of the whole interface. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Assay",
                        version = "1",
                        description = "Evaluation campaigns for LLMs and agents: create, watch, steer, read results. "
                                + "Errors are problem documents (RFC 9457) with a stable code."))
final class ApiDescription {

    private ApiDescription() {}
}

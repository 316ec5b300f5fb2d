package dev.assay.web.provider;

import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

/** The providers that can be asked. */
@Controller("/api/v1/providers")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "providers")
final class ProviderController {

    private final LiveProviders providers;

    ProviderController(LiveProviders providers) {
        this.providers = providers;
    }

    /**
     * Lists providers.
     *
     * @return all providers, and the levels at which workers start programs
     */
    @Get
    @Operation(summary = "List the providers that live workers can ask", operationId = "listProviders")
    ProviderList list() {
        return new ProviderList(providers.list(), null, providers.programs());
    }

    /**
     * Lists the limits of a provider.
     *
     * @param name of a provider that a live worker reports
     * @return its pools that have limits
     */
    @Get("/{name}/limits")
    @Operation(summary = "Show the limits of a provider, and what is used of them", operationId = "listLimits")
    LimitList limits(@PathVariable String name) {
        return new LimitList(providers.limits(name), null);
    }
}

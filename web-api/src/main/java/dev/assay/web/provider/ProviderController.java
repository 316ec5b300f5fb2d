package dev.assay.web.provider;

import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.store.limit.LimitChangeRow;
import dev.assay.store.page.Page;
import dev.assay.web.PageSize;
import dev.assay.web.access.Requester;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The providers that can be asked, and their limits. */
@Controller("/api/v1/providers")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "providers")
final class ProviderController {

    private static final int USUAL = 100;

    private final LiveProviders providers;

    private final RequestReader reader;

    private final Requester requester;

    ProviderController(LiveProviders providers, RequestReader reader, Requester requester) {
        this.providers = providers;
        this.reader = reader;
        this.requester = requester;
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
     * @return its pools that have limits, and those that refused something
     */
    @Get("/{name}/limits")
    @Operation(summary = "Show the limits of a provider, and what is used of them", operationId = "listLimits")
    LimitList limits(@PathVariable String name) {
        return new LimitList(providers.limits(name), null);
    }

    /**
     * Shows a provider.
     *
     * @param name of a provider that a live worker reports
     * @return the provider, and its pools that have limits or refused something
     */
    @Get("/{name}")
    @Operation(summary = "Show a provider and its limits", operationId = "getProvider")
    OneProvider one(@PathVariable String name) {
        return providers.one(name);
    }

    /**
     * Changes the limits of a provider.
     *
     * @param name of a provider that a live worker reports
     * @param body what changes, and why
     * @return the changed pools
     */
    @Patch(value = "/{name}/limits", consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Change the limits of a provider while workers run",
            operationId = "changeLimits",
            description =
                    "A number takes the place of what is configured, on all workers within a second, until null takes"
                        + " it back. models is the pattern of an entry of the settings. A reason is required. Needs a"
                        + " token of scope admin.")
    LimitList change(
            @PathVariable String name,
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "The changes; limits that are left out stay as they are",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = LimitsBody.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "fewer",
                                                            value = "{\"models\": \"gpt-6.1*\", \"tokensPerMinute\":"
                                                                    + " 1000000, \"reason\": \"shared until"
                                                                    + " Friday\"}")))
                    byte[] body) {
        ManualLimitChange change = ManualLimitChange.read(reader.small(request, body));
        return new LimitList(providers.change(name, change, requester.name(request)), null);
    }

    /**
     * Lists what changed of the limits of a provider.
     *
     * @param name of a provider that a live worker reports
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize how many, 1 to 1,000; 100 when it is left out
     * @return a page of changes, the newest first
     */
    @Get("/{name}/changes")
    @Operation(
            summary = "List what changed of the limits of a provider, newest first",
            operationId = "listLimitChanges")
    Page<LimitChangeRow> changes(
            @PathVariable String name,
            @Nullable @QueryValue String pageToken,
            @Nullable @QueryValue @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        return providers.changes(name, pageToken, PageSize.of(pageSize, USUAL));
    }
}

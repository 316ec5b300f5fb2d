package dev.assay.web.server;

import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** This server. */
@Controller("/api/v1/server")
@AnswersProblems
@Tag(name = "server")
final class ServerController {

    private final ServerView server;

    /** @param server null: unknown, as in tests */
    ServerController(@Nullable ServerView server) {
        this.server = server == null ? new ServerView("development", null, "default", null) : server;
    }

    /**
     * Shows the facts of this server.
     *
     * @return its version, and where Temporal's pages are
     */
    @Get
    @Operation(summary = "Get the server's version and where Temporal's pages are", operationId = "getServer")
    ServerView get() {
        return server;
    }
}

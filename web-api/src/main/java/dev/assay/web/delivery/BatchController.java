package dev.assay.web.delivery;

import dev.assay.campaigns.launch.BatchLauncher;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.BatchRepository.Wanted;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageToken;
import dev.assay.web.PageSize;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Batches of providers: list, show, look, give up (docs/batches.md). */
@Controller("/api/v1/batches")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "batches")
final class BatchController {

    private static final int USUAL = 100;

    private final BatchRepository batches;
    private final BatchLauncher launcher;

    BatchController(BatchRepository batches, BatchLauncher launcher) {
        this.batches = batches;
        this.launcher = launcher;
    }

    /**
     * Lists batches.
     *
     * @param campaign only those of this campaign
     * @param state only those in this state
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize how many, 1 to 1,000; 100 when it is left out
     * @return a page of them, the newest first
     */
    @Get
    @Operation(
            summary = "List batches of providers, newest first",
            operationId = "listBatches",
            description =
                    "Each holds requests of one campaign to one model, which the provider answers together within a"
                            + " day. nextPageToken asks for the rows that follow, null means there are none.")
    Page<BatchView> list(
            @Nullable @QueryValue String campaign,
            @Nullable @QueryValue @Schema(implementation = BatchState.class) String state,
            @Nullable @QueryValue String pageToken,
            @Nullable @QueryValue @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, USUAL);
        PageToken token = pageToken == null ? null : PageToken.parse(pageToken, 2);
        List<ProviderBatch> found = batches.page(
                new Wanted(campaign, state(state)),
                token == null
                        ? null
                        : new BatchRepository.Place(
                                token.instant(0), token.keys().get(1)),
                size + 1);
        return Page.first(size, found, batch -> PageToken.of(batch.times().created(), batch.id()))
                .map(BatchView::of);
    }

    private static @Nullable String state(@Nullable String asked) {
        if (asked == null
                || Arrays.stream(BatchState.values())
                        .anyMatch(state -> state.name().equals(asked))) {
            return asked;
        }
        String known = Arrays.stream(BatchState.values()).map(BatchState::name).collect(Collectors.joining(", "));
        throw AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError("state", "Use one of " + known)));
    }

    /**
     * Shows a batch.
     *
     * @param id its id
     */
    @Get("/{id}")
    @Operation(summary = "Show a batch of a provider", operationId = "showBatch")
    BatchView show(String id) {
        return BatchView.of(required(id));
    }

    /**
     * Has a batch looked at now.
     *
     * @param id its id
     */
    @Post("/{id}/look")
    @Operation(
            summary = "Look at a batch now",
            operationId = "lookAtBatch",
            description =
                    "Asks the provider soon, not at the time of nextPollAt. The answer is the batch as it is known.")
    BatchView look(String id) {
        ProviderBatch batch = required(id);
        launcher.look(batch);
        return BatchView.of(batch);
    }

    /**
     * Gives a batch up.
     *
     * @param id its id
     */
    @Post("/{id}/abandon")
    @Operation(
            summary = "Give a batch up",
            operationId = "abandonBatch",
            description =
                    "Its cells are open again, and its requests count as spent at their worst case. What the provider"
                        + " answers still is not recorded, and may be paid. 409 unless it is SUBMITTED or UNCERTAIN.")
    BatchView abandon(String id) {
        ProviderBatch batch = required(id);
        if (!batches.abandon(id)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Batch " + id + " is " + required(id).state() + ": only one that is SUBMITTED or UNCERTAIN can be"
                            + " given up");
        }
        launcher.look(batch);
        return BatchView.of(required(id));
    }

    private ProviderBatch required(String id) {
        return batches.find(id).orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no batch " + id));
    }
}

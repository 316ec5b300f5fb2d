package dev.assay.web.label;

import dev.assay.store.page.PageToken;
import dev.assay.web.PageSize;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** How far verdicts can be believed, as people's labels say. */
@Controller("/api/v1/campaigns/{id}/calibration")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "labels")
final class CalibrationController {

    private static final int DEFAULT_PAGE = 100;

    private final CampaignQueries campaigns;
    private final CalibrationReads reads;

    CalibrationController(CampaignQueries campaigns, CalibrationReads reads) {
        this.campaigns = campaigns;
        this.reads = reads;
    }

    /**
     * Calibrates.
     *
     * @param id id of the campaign
     * @param branchId only of this branch
     * @param check of the check with this metric, or of this type; whether trials pass when left out
     * @param labels id of a sample, all, or id of another campaign; the newest sample with labels, else all, when left out
     * @param pageToken nextPageToken of the page of disagreements before; leave it out to start
     * @param pageSize disagreements on a page, 1 to 1,000; 100 when left out
     * @return how far the evaluators agree with people, and the corrected rates
     */
    @Get
    @Operation(
            summary = "Compare the verdicts with people's labels",
            operationId = "getCalibration",
            description = "Rates are corrected only by labels of a random sample, or by those of another campaign with"
                    + " the same evaluators; corrected.why says why not.")
    CalibrationView get(
            String id,
            @QueryValue @Nullable String branchId,
            @QueryValue @Nullable String check,
            @QueryValue @Nullable String labels,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        int from = pageToken == null ? 0 : PageToken.parse(pageToken, 1).integer(0);
        return reads.read(
                campaigns.required(id), new CalibrationReads.Asked(branchId, check, labels), size, Math.max(0, from));
    }
}

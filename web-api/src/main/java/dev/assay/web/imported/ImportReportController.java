package dev.assay.web.imported;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.imported.ImportRepository;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

/** What a tool says of an imported campaign. */
@Controller("/api/v1/campaigns/{id}/import")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "imports")
final class ImportReportController {

    private final CampaignQueries campaigns;
    private final ImportRepository imports;

    ImportReportController(CampaignQueries campaigns, ImportRepository imports) {
        this.campaigns = campaigns;
        this.imports = imports;
    }

    /**
     * Compares what a tool says with what its results come to.
     *
     * @param id id of the campaign
     * @return each number of the tool, beside ours
     */
    @Get
    @Operation(
            summary = "Get what the tool says of an imported campaign, beside what its results come to",
            operationId = "getImport",
            description =
                    "A difference above 1e-9, relative above 1, is a warning. A number that is no count or mean is kept"
                            + " as the tool says it. A campaign that was not imported is not found.")
    ImportReportView report(String id) {
        StoredCampaign campaign = campaigns.required(id);
        if (campaign.purpose() instanceof StoredCampaign.Imported(ImportOrigin origin)) {
            return ImportReportView.of(origin, imports.metrics(id));
        }
        throw new AssayException(ErrorCode.NOT_FOUND, "Campaign " + id + " was not imported: it has no other numbers");
    }
}

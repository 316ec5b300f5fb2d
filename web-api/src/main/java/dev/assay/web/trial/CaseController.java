package dev.assay.web.trial;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.LabelState;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cases.CaseFilter;
import dev.assay.store.cases.CaseLists;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.problem.AnswersProblems;
import dev.assay.web.trial.CaseSearch.Criteria;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** The cases of a campaign. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class CaseController {

    private static final String PATTERN = "^(failing|flaky|disagreeing|errored|undecided|flipped)$";
    private static final String LABEL = "^(pass|fail|unsure|none|disagrees)$";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    private final CampaignQueries campaigns;
    private final CaseLists cases;
    private final CaseSearch search;

    CaseController(CampaignQueries campaigns, CaseLists cases, CaseSearch search) {
        this.campaigns = campaigns;
        this.cases = cases;
        this.search = search;
    }

    /**
     * Lists the cases of a campaign.
     *
     * @param id id of the campaign
     * @param from place of the first, from 0; 0 when left out
     * @param limit cases at most, 1 to 1,000; 100 when left out
     * @param q only whose id or prompts have it, in capitals or not
     * @param tag only with this tag
     * @param failedCheck only with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only with an answer that took longer, in milliseconds
     * @param only failing, flaky, disagreeing, errored, undecided, or of a scoring flipped: only whose cells say so
     * @param label pass, fail, unsure, none or disagrees: only with an answer of which people say so
     * @param branchId the only branch whose answers and cells are looked at
     * @return a part of the suite
     */
    @Get("/cases")
    @Operation(
            summary = "List the cases of a campaign from a place on",
            operationId = "listCases",
            description =
                    "A case's position is its place in the matrix. nextFrom is where the list goes on, null at its"
                            + " end.")
    CasePage list(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable @Schema(minimum = "0") Integer from,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer limit,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String tag,
            @QueryValue @Nullable String failedCheck,
            @QueryValue @Nullable Long slowerThanMs,
            @QueryValue @Nullable @Schema(pattern = PATTERN) String only,
            @QueryValue @Nullable @Schema(pattern = LABEL) String label,
            @QueryValue @Nullable String branchId) {
        StoredCampaign campaign = campaigns.required(id);
        int first = within("from", from, 0, Integer.MAX_VALUE, 0);
        int most = within("limit", limit, 1, MOST, DEFAULT_LIMIT);
        CaseFilter filter = search.filter(
                campaign, new Criteria(q, tag, failedCheck, slowerThanMs, only, LabelState.of(label), branchId));
        return AnswerPlace.whileReading(
                request, room -> CasePage.of(cases.list(campaign.suiteId(), filter, first, most, room)));
    }

    /**
     * Finds cases of a campaign.
     *
     * @param id id of the campaign
     * @param q only whose id or prompts have it, in capitals or not
     * @param tag only with this tag
     * @param failedCheck only with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only with an answer that took longer, in milliseconds
     * @param only failing, flaky, disagreeing, errored, undecided, or of a scoring flipped: only whose cells say so
     * @param label pass, fail, unsure, none or disagrees: only with an answer of which people say so
     * @param branchId the only branch whose answers and cells are looked at
     * @return their places
     */
    @Get("/cases/positions")
    @Operation(
            summary = "Get the places of all cases that match a text, a tag, answers or cells",
            operationId = "findCases",
            description = "failing: a trial did not pass. flaky: a branch passed a trial and failed another; errors are"
                    + " neither. disagreeing: one branch passed all its trials, another none. errored: an error"
                    + " ended a trial. undecided: a tie or a fallback decided a trial.")
    CasePositions positions(
            String id,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String tag,
            @QueryValue @Nullable String failedCheck,
            @QueryValue @Nullable Long slowerThanMs,
            @QueryValue @Nullable @Schema(pattern = PATTERN) String only,
            @QueryValue @Nullable @Schema(pattern = LABEL) String label,
            @QueryValue @Nullable String branchId) {
        StoredCampaign campaign = campaigns.required(id);
        CaseFilter filter = search.filter(
                campaign, new Criteria(q, tag, failedCheck, slowerThanMs, only, LabelState.of(label), branchId));
        return new CasePositions(cases.positions(campaign.suiteId(), filter));
    }

    /**
     * Lists the tags of a campaign's cases.
     *
     * @param id id of the campaign
     * @return the tags
     */
    @Get("/tags")
    @Operation(summary = "List the tags of a campaign's cases, and how many have each", operationId = "listTags")
    TagList tags(String id) {
        return new TagList(cases.tags(campaigns.required(id).suiteId()));
    }

    private static int within(String name, @Nullable Integer asked, int least, int most, int otherwise) {
        if (asked == null) {
            return otherwise;
        }
        if (asked < least || asked > most) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError(name, "Write " + least + " to " + most)));
        }
        return asked;
    }
}

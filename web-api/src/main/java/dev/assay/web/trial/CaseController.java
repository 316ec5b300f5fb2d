package dev.assay.web.trial;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.store.suite.CaseFilter;
import dev.assay.store.suite.CaseLists;
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
import java.util.List;

/** The cases of a campaign. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class CaseController {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    private final CampaignQueries campaigns;
    private final CaseLists cases;

    CaseController(CampaignQueries campaigns, CaseLists cases) {
        this.campaigns = campaigns;
        this.cases = cases;
    }

    /**
     * Lists the cases of a campaign.
     *
     * @param id the campaign
     * @param from place of the first, from 0; 0 when left out
     * @param limit at most so many, 1 to 1,000; 100 when left out
     * @param q only whose id or prompts have it, in capitals or not
     * @param tag only with this tag
     * @param failedCheck only with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only with an answer that took longer, in milliseconds
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
            String id,
            @QueryValue @Nullable @Schema(minimum = "0") Integer from,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer limit,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String tag,
            @QueryValue @Nullable String failedCheck,
            @QueryValue @Nullable Long slowerThanMs) {
        String suiteId = campaigns.required(id).suiteId();
        int first = within("from", from, 0, Integer.MAX_VALUE, 0);
        int most = within("limit", limit, 1, MOST, DEFAULT_LIMIT);
        return CasePage.of(cases.list(suiteId, filter(id, q, tag, failedCheck, slowerThanMs), first, most + 1), most);
    }

    /**
     * Finds cases of a campaign.
     *
     * @param id the campaign
     * @param q only whose id or prompts have it, in capitals or not
     * @param tag only with this tag
     * @param failedCheck only with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only with an answer that took longer, in milliseconds
     * @return their places
     */
    @Get("/cases/positions")
    @Operation(summary = "Get the places of all cases with a text, a tag, or such an answer", operationId = "findCases")
    CasePositions positions(
            String id,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String tag,
            @QueryValue @Nullable String failedCheck,
            @QueryValue @Nullable Long slowerThanMs) {
        String suiteId = campaigns.required(id).suiteId();
        return new CasePositions(cases.positions(suiteId, filter(id, q, tag, failedCheck, slowerThanMs)));
    }

    private static CaseFilter filter(
            String id,
            @Nullable String q,
            @Nullable String tag,
            @Nullable String failedCheck,
            @Nullable Long slowerThanMs) {
        boolean isAny = failedCheck == null && slowerThanMs == null;
        return new CaseFilter(q, tag, isAny ? null : new CaseFilter.Answers(id, failedCheck, slowerThanMs));
    }

    /**
     * Lists the tags of a campaign's cases.
     *
     * @param id the campaign
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

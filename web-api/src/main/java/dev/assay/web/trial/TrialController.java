package dev.assay.web.trial;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.replaced.ReplacedResults;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.SelectionQueries;
import dev.assay.store.result.TrialSelection;
import dev.assay.store.suite.CaseRepository;
import dev.assay.web.PageSize;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.outcome.JudgeCallView;
import dev.assay.web.outcome.SelectionView;
import dev.assay.web.problem.AnswersProblems;
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
import java.util.Objects;

/** Trials of a campaign: all branches side by side, and earlier results. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class TrialController {

    private static final int DEFAULT_PAGE = 20;

    private final CampaignQueries campaigns;
    private final CaseRepository cases;
    private final OutcomeQueries outcomes;
    private final SelectionQueries selections;
    private final ReplacedResults replaced;

    TrialController(
            CampaignQueries campaigns,
            CaseRepository cases,
            OutcomeQueries outcomes,
            SelectionQueries selections,
            ReplacedResults replaced) {
        this.campaigns = campaigns;
        this.cases = cases;
        this.outcomes = outcomes;
        this.selections = selections;
        this.replaced = replaced;
    }

    /**
     * Gets one trial.
     *
     * @param id id of the campaign
     * @param caseId id of the case
     * @param trial which repetition, from 1
     * @return everything about it
     */
    @Get("/trials/{caseId}/{trial}")
    @Operation(
            summary = "Get everything about one trial: all branches, their transcripts, what judges read and said",
            operationId = "getTrial")
    TrialView get(String id, String caseId, int trial, HttpRequest<?> request) {
        StoredCampaign campaign = campaigns.required(id);
        if (trial < 1 || trial > campaign.trials()) {
            throw missing(id, caseId, trial);
        }
        int position = cases.position(campaign.suiteId(), caseId).orElseThrow(() -> missing(id, caseId, trial));
        Case asked = Objects.requireNonNull(
                cases.find(campaign.suiteId(), List.of(position)).get(position));
        int ordinal = campaign.grid().ordinal(position, trial);
        return AnswerPlace.ofItem(
                request, () -> outcomes.octets(id, ordinal), () -> view(campaign, asked, position, ordinal));
    }

    private TrialView view(StoredCampaign campaign, Case asked, int position, int ordinal) {
        String id = campaign.id();
        TrialSelection selection = selections.find(id, ordinal).orElse(null);
        return new TrialView(
                asked.id(),
                position,
                campaign.grid().trial(ordinal),
                asked.tags(),
                asked.context(),
                asked.prompts(),
                asked.checks().all().stream()
                        .<JsonNode>map(check -> Json.mapper().valueToTree(check))
                        .toList(),
                outcomes.transcripts(id, ordinal).stream()
                        .map(TranscriptView::of)
                        .toList(),
                selection == null ? null : SelectionView.of(selection.selection(), campaign.definition()),
                selection != null && selection.complete(),
                selections.judgeCalls(id, List.of(ordinal)).getOrDefault(ordinal, List.of()).stream()
                        .map(call -> JudgeCallView.of(call, campaign.definition()))
                        .toList());
    }

    /**
     * Lists what re-runs replaced.
     *
     * @param id id of the campaign
     * @param caseId only of this case
     * @param trial only of this repetition, from 1
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize items on a page, 1 to 1,000; 20 when left out
     * @return a page of results
     */
    @Get("/replaced")
    @Operation(
            summary = "List the results that re-runs replaced, oldest re-run first",
            operationId = "listReplaced",
            description = "kind is outcome, judge_call or trial; result is the replaced result.")
    Page<ReplacedView> replaced(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable String caseId,
            @QueryValue @Nullable Integer trial,
            @QueryValue @Nullable String pageToken,
            @QueryValue @Nullable @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        campaigns.required(id);
        int size = PageSize.of(pageSize, DEFAULT_PAGE);
        return AnswerPlace.whileReading(
                request,
                room -> replaced.page(id, caseId, trial, new PageRequest(pageToken, size, room))
                        .map(ReplacedView::of));
    }

    private static AssayException missing(String id, String caseId, int trial) {
        return new AssayException(
                ErrorCode.NOT_FOUND, "Campaign " + id + " has no trial " + trial + " of case " + caseId);
    }
}

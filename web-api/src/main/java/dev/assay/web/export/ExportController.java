package dev.assay.web.export;

import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.export.EveryEvalChoices;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.web.Flag;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.connection.SentFile;
import dev.assay.web.problem.AnswersProblems;
import dev.assay.web.trial.CaseSearch;
import dev.assay.web.trial.CaseSearch.Criteria;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.InputStream;
import java.util.List;

/** The outcomes of a campaign as a file. */
@Controller("/api/v1/campaigns/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "results")
final class ExportController {

    private static final String ZIP = "application/zip";

    private final CampaignQueries campaigns;
    private final CaseSearch cases;
    private final OutcomeExport outcomes;
    private final TableExport tableExport;
    private final EveryEvalExport everyEval;

    ExportController(
            CampaignQueries campaigns,
            CaseSearch cases,
            OutcomeExport outcomes,
            TableExport tableExport,
            EveryEvalExport everyEval) {
        this.campaigns = campaigns;
        this.cases = cases;
        this.outcomes = outcomes;
        this.tableExport = tableExport;
        this.everyEval = everyEval;
    }

    /**
     * Exports outcomes.
     *
     * @param id id of the campaign
     * @param format csv, jsonl (or ndjson), parquet or eee; jsonl when left out
     * @param tables of jsonl and parquet: outcomes, checks, labels and cases, joined by commas, as an archive. The outcomes alone, and
     *     no archive, when left out
     * @param caseId only of this case
     * @param branchId only of this branch, which is the only one that only, failedCheck and slowerThanMs look at
     * @param trial only of this repetition, from 1
     * @param status only that ended so
     * @param passed only that passed, or did not; outcomes without evidence are neither
     * @param label only of which people say so: pass, fail, unsure, none or disagrees
     * @param source only whose answers come from there: asked here, copied, or recorded by another tool
     * @param q only of cases whose id or prompts have it, in capitals or not
     * @param tag only of cases with this tag
     * @param failedCheck only of cases with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only of cases with an answer that took longer, in milliseconds
     * @param only failing, flaky, disagreeing, errored, undecided, or of a scoring flipped: only of cases whose cells say so
     * @param organization of eee: who evaluated; unknown when left out
     * @param relationship of eee: of the organization to the models' developer; other when left out
     * @param developer of eee: of the models; as their names say when left out
     * @param redact of eee: whether texts are replaced by their SHA-256
     * @return the file
     */
    @Get(
            value = "/export",
            produces = {"application/x-ndjson", "text/csv", "application/vnd.apache.parquet", ZIP})
    @Operation(
            summary = "Get outcomes as a file, by trial, then case, then branch",
            operationId = "exportOutcomes",
            description = "There is no bound on their number: the file is written while it is read. Which cases q, tag,"
                    + " failedCheck, slowerThanMs and only keep is found before its first line. In csv a text that"
                    + " a spreadsheet takes for a formula gets a leading apostrophe. `tables` asks jsonl or parquet"
                    + " for an archive of tables. eee is an archive in the form"
                    + " of Every Eval Ever 0.3.0, of a campaign that has ended: for each branch its samples and"
                    + " what they come to.")
    @ApiResponse(
            responseCode = "200",
            description = "The file",
            content = {
                @Content(mediaType = "application/x-ndjson", schema = @Schema(type = "string")),
                @Content(mediaType = "text/csv", schema = @Schema(type = "string")),
                @Content(
                        mediaType = "application/vnd.apache.parquet",
                        schema = @Schema(type = "string", format = "binary")),
                @Content(mediaType = ZIP, schema = @Schema(type = "string", format = "binary"))
            })
    StreamedFile export(
            HttpRequest<?> request,
            String id,
            @QueryValue @Nullable @Schema(pattern = "^(csv|jsonl|ndjson|parquet|eee)$") String format,
            @QueryValue @Nullable String tables,
            @QueryValue @Nullable String caseId,
            @QueryValue @Nullable String branchId,
            @QueryValue @Nullable Integer trial,
            @QueryValue @Nullable OutcomeStatus status,
            @QueryValue @Nullable @Schema(type = "boolean") String passed,
            @QueryValue @Nullable @Schema(pattern = "^(pass|fail|unsure|none|disagrees)$") String label,
            @QueryValue @Nullable AnswerSource source,
            @QueryValue @Nullable String q,
            @QueryValue @Nullable String tag,
            @QueryValue @Nullable String failedCheck,
            @QueryValue @Nullable Long slowerThanMs,
            @QueryValue @Nullable @Schema(pattern = "^(failing|flaky|disagreeing|errored|undecided|flipped)$")
                    String only,
            @QueryValue @Nullable String organization,
            @QueryValue @Nullable @Schema(pattern = "^(first_party|third_party|collaborative|other)$")
                    String relationship,
            @QueryValue @Nullable String developer,
            @QueryValue @Nullable @Schema(type = "boolean") String redact) {
        StoredCampaign campaign = campaigns.required(id);
        OutcomeFilter filter = new OutcomeFilter(
                caseId, branchId, trial, status, Flag.of("passed", passed), LabelState.of(label), source);
        ExportFormat form = format == null ? ExportFormat.JSONL : ExportFormat.of(format);
        List<ExportTable> some = ExportTable.of(tables, form);
        EveryEvalChoices choices = choices(organization, relationship, developer, Flag.of("redact", redact));
        ExportedCells cells = new ExportedCells(
                campaign,
                filter,
                cases.positions(campaign, new Criteria(q, tag, failedCheck, slowerThanMs, only, null, branchId)));
        if (some != null) {
            return SentFile.of(request, tableExport.archive(cells, form, some), MediaType.of(ZIP))
                    .attach(id + "." + form.word() + ".zip");
        }
        InputStream file = switch (form) {
            case CSV -> outcomes.csv(cells);
            case JSONL -> outcomes.jsonLines(cells);
            case PARQUET -> tableExport.parquet(cells);
            case EEE -> everyEval.open(cells, choices);
        };
        return SentFile.of(request, file, MediaType.of(form.mediaType()))
                .attach(id + "." + form.word() + (form == ExportFormat.EEE ? ".zip" : ""));
    }

    private static EveryEvalChoices choices(
            @Nullable String organization,
            @Nullable String relationship,
            @Nullable String developer,
            @Nullable Boolean redact) {
        String known = relationship == null ? "other" : relationship;
        if (!EveryEvalChoices.RELATIONSHIPS.contains(known)) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError(
                            "relationship", "Write one of " + String.join(", ", EveryEvalChoices.RELATIONSHIPS))));
        }
        return new EveryEvalChoices(
                organization == null || organization.isBlank() ? "unknown" : organization,
                known,
                developer == null || developer.isBlank() ? null : developer,
                Boolean.TRUE.equals(redact));
    }
}

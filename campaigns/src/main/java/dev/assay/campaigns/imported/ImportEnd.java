package dev.assay.campaigns.imported;

import dev.assay.campaigns.imported.ResultLines.Which;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.ImportedDefinition;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ResultLine;
import dev.assay.domain.results.ResultLineReader;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.imported.ImportRepository;
import dev.assay.store.imported.ImportUpload;
import dev.assay.store.imported.ImportedOutcomes;
import dev.assay.store.result.ProgressRepository;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a campaign of results that all arrived. One transaction does all of it, so the campaign shows as a whole or not at all. */
@Singleton
public class ImportEnd {

    private final ImportIntake intake;
    private final ImportRepository imports;
    private final ImportedOutcomes outcomes;
    private final ImportedTrials trials;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final Summaries summaries;

    ImportEnd(
            ImportIntake intake,
            ImportRepository imports,
            ImportedOutcomes outcomes,
            ImportedTrials trials,
            CampaignRepository campaigns,
            ProgressRepository progress,
            Summaries summaries) {
        this.intake = intake;
        this.imports = imports;
        this.outcomes = outcomes;
        this.trials = trials;
        this.campaigns = campaigns;
        this.progress = progress;
        this.summaries = summaries;
    }

    /**
     * What a campaign was made of.
     *
     * @param isNew whether it was made now; else the same files were imported before, or this import was finished before
     */
    public record Finished(StoredCampaign campaign, boolean isNew) {}

    /**
     * What the sender says of a run.
     *
     * @param isWhole whether nothing of it is missing, though cells have no result: not each case has as many trials
     * @param ended why it is not complete; null: nothing is said
     */
    public record Completeness(boolean isWhole, @Nullable String ended) {}

    /**
     * Finishes an import.
     *
     * @param said whether the tool's run is complete
     * @param id makes the id of a campaign out of its name
     * @throws AssayException NOT_FOUND; INVALID_INPUT when the results do not belong together. Nothing is stored then
     */
    @Transactional
    public Finished finish(String importId, Completeness said, UnaryOperator<String> id) {
        ImportUpload upload = intake.required(importId);
        ImportHeader header = ImportHeader.read(Json.tree(upload.header()));
        String known = upload.campaignId() == null ? imports.known(header.key()).orElse(null) : upload.campaignId();
        if (known != null) {
            imports.finish(importId, known);
            return new Finished(campaigns.required(known), false);
        }
        outcomes.expectMany();
        Suite suite = suite(upload, header);
        CampaignSubmission submission = ImportedDefinition.submission(header.definition(), header.description(), suite);
        String campaignId = id.apply(header.definition().name());
        campaigns.create(campaignId, submission, new SubmissionOrigin(upload.createdBy(), null));
        StoredCampaign campaign = campaigns
                .transition(campaignId, Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null)
                .orElseThrow();
        List<ComparedAggregate> metrics = write(upload, header, campaign, suite);
        trials.select(campaign);
        boolean isComplete = end(campaign, said);
        imports.describe(campaignId, header, isComplete, metrics);
        imports.finish(importId, campaignId);
        return new Finished(campaigns.required(campaignId), true);
    }

    private Suite suite(ImportUpload upload, ImportHeader header) {
        List<Case> cases = new ArrayList<>();
        ResultLineReader reader = new ResultLineReader(header.origin());
        for (int piece = 0; piece < upload.pieces(); piece++) {
            ResultLines.read(imports.piece(upload.id(), piece), Which.CASES, (line, path, problems) -> {
                if (reader.read(line, path, problems) instanceof ResultLine.OfCase(Case value)) {
                    cases.add(value);
                }
            });
        }
        if (cases.isEmpty()) {
            throw invalid("lines", "There is no case; send a line {\"case\": …} before its outcomes.");
        }
        String tooLarge = CampaignReader.sizeProblem(
                cases.size(),
                header.definition().trials(),
                header.definition().branches().size());
        if (tooLarge != null) {
            throw invalid("trials", tooLarge);
        }
        return new Suite(header.definition().name(), cases);
    }

    private List<ComparedAggregate> write(
            ImportUpload upload, ImportHeader header, StoredCampaign campaign, Suite suite) {
        ResultLineReader reader = new ResultLineReader(header.origin());
        OutcomeRows rows = new OutcomeRows(campaign, suite, header, outcomes::write);
        for (int piece = 0; piece < upload.pieces(); piece++) {
            ResultLines.read(imports.piece(upload.id(), piece), Which.OUTCOMES, (line, path, problems) -> {
                if (reader.read(line, path, problems) instanceof ResultLine.OfOutcome(var outcome) && problems.none()) {
                    rows.add(outcome, path, problems);
                }
            });
        }
        List<ComparedAggregate> compared = rows.end();
        outcomes.write(reader.evaluators());
        return compared;
    }

    /** Ends the campaign; answers with whether it is complete. */
    private boolean end(StoredCampaign campaign, Completeness said) {
        progress.recount(campaign.id());
        long missing = outcomes.missing(campaign.id());
        String ended = said.ended();
        if (ended != null || (missing > 0 && !said.isWhole())) {
            String reason = (ended == null ? "The results are not complete." : ended)
                    + (missing > 0 ? " Cells without a result: " + missing + "." : "");
            var _ = campaigns
                    .transition(campaign.id(), Set.of(CampaignState.RUNNING), CampaignState.CANCELLED, false, reason)
                    .orElseThrow();
            return false;
        }
        CampaignSummary summary = summaries.summarize(campaign);
        Map<String, Proportion> rates = summary.branches().stream()
                .collect(Collectors.toMap(BranchSummary::branchId, BranchSummary::trialPassRate));
        if (!campaigns.complete(campaign, summary.verdict(), Json.write(summary), rates)) {
            throw new AssayException(ErrorCode.CONFLICT, "The import was changed while it was finished: try again");
        }
        return true;
    }

    private static AssayException invalid(String path, String message) {
        return AssayException.invalid("The results do not belong together", List.of(new FieldError(path, message)));
    }
}

package dev.assay.web.artifact;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.rendering.HtmlHead;
import dev.assay.domain.rendering.HtmlReport;
import dev.assay.domain.rendering.JunitReport;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.domain.rendering.RunLayout;
import dev.assay.domain.rendering.SummaryJson;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.suite.CaseRepository;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of a run, written from the store while a client reads them. Each holds the summary of its campaign. */
@Singleton
final class CampaignArtifacts {

    private final CampaignQueries campaigns;
    private final OutcomeQueries outcomes;
    private final CaseRepository cases;
    private final WrittenFiles files;

    CampaignArtifacts(CampaignQueries campaigns, OutcomeQueries outcomes, CaseRepository cases, WrittenFiles files) {
        this.files = files;
        this.cases = cases;
        this.campaigns = campaigns;
        this.outcomes = outcomes;
    }

    /** JUnit's XML. */
    InputStream junit(StoredCampaign campaign) {
        return files.open(out -> out.write(JunitReport.of(
                campaigns.summary(campaign),
                new StoredTrials(outcomes, campaign),
                campaign.suite().name())));
    }

    /**
     * Markdown for a pull request.
     *
     * @param maxBytes of UTF-8
     */
    InputStream markdown(StoredCampaign campaign, int maxBytes) {
        return files.open(out -> {
            CampaignSummary summary = campaigns.summary(campaign);
            String text = MarkdownReport.of(
                    campaign.name(),
                    campaign.id(),
                    summary,
                    new StoredTrials(outcomes, campaign),
                    ExitRule.decide(summary, false),
                    maxBytes);
            out.write(text.getBytes(StandardCharsets.UTF_8));
        });
    }

    /** One HTML page, which needs no server. */
    InputStream html(StoredCampaign campaign) {
        return files.open(out -> {
            CampaignSummary summary = campaigns.summary(campaign);
            HtmlHead head = new HtmlHead(
                    campaign.id(),
                    campaign.name(),
                    campaigns.account(campaign.id()),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS));
            HtmlReport.write(
                    head,
                    summary,
                    new AskedTrials(
                            StoredTrials.withAnswers(outcomes, campaign),
                            cases,
                            campaign.suite().id()),
                    ExitRule.decide(summary, false).sentence(),
                    HtmlReport.MAX_BYTES,
                    out);
        });
    }

    /** {@code summary.json}. */
    InputStream summary(StoredCampaign campaign) {
        return files.open(out -> writeSummary(campaign, campaigns.summary(campaign), out));
    }

    /**
     * The directory of the run as an archive.
     *
     * @param cells whose directories it has
     */
    InputStream zip(StoredCampaign campaign, Set<ArtifactPart> parts, RecordedCells cells) {
        RunLayout layout = new RunLayout(campaign.definition().branches().size() > 1);
        return files.open(out -> {
            try (RunZip zip = new RunZip(out, campaign.times().created())) {
                if (parts.contains(ArtifactPart.TRIALS)) {
                    StoredTrials trials = new StoredTrials(outcomes, campaign);
                    for (PrimitiveIterator.OfInt ordinals = cells.ordinals(); ordinals.hasNext(); ) {
                        int ordinal = ordinals.nextInt();
                        trials.files(ordinal, branch -> cells.holds(ordinal, branch), layout, zip::add);
                    }
                }
                if (parts.contains(ArtifactPart.TOTALS)) {
                    addTotals(campaign, layout, zip);
                }
            }
        });
    }

    private void addTotals(StoredCampaign campaign, RunLayout layout, RunZip zip) throws IOException {
        CampaignSummary summary = campaigns.summary(campaign);
        StoredTrials trials = new StoredTrials(outcomes, campaign);
        for (BranchSummary branch : summary.branches()) {
            trials.forEach(branch, (one, all) -> {
                String json = TrialResults.pretty(TrialResults.aggregated(one, all, summary.passThreshold()));
                zip.add(
                        layout.aggregated(one.caseId(), branch.branchId()),
                        (json + "\n").getBytes(StandardCharsets.UTF_8));
            });
        }
        zip.add(RunLayout.SUMMARY, out -> {
            writeSummary(campaign, summary, out);
            out.write('\n');
        });
    }

    private void writeSummary(StoredCampaign campaign, CampaignSummary summary, OutputStream out) throws IOException {
        SummaryJson.Run run = new SummaryJson.Run(
                campaign.id(),
                campaign.name(),
                campaign.metadata(),
                campaign.state(),
                campaign.times().created(),
                campaign.createdBy(),
                campaign.times().started(),
                campaign.times().finished(),
                model(campaign),
                campaign.limits().maxConcurrent());
        SummaryJson.write(run, summary, ExitRule.decide(summary, false), new StoredTrials(outcomes, campaign), out);
    }

    /** The model of the only branch; null: there are several, or none is asked. */
    private static @Nullable String model(StoredCampaign campaign) {
        List<Branch> branches = campaign.definition().branches();
        return branches.size() > 1
                ? null
                : branches.getFirst().agent().model().map(ModelChoice::model).orElse(null);
    }
}

package dev.assay.web.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.export.EveryEvalBranch;
import dev.assay.domain.export.EveryEvalChoices;
import dev.assay.domain.export.EveryEvalSample;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Results in the form of Every Eval Ever, as an archive that is written while it is read. */
@Singleton
final class EveryEvalExport {

    private final OutcomeQueries outcomes;
    private final CaseRepository cases;
    private final Summaries summaries;
    private final WrittenFiles files;

    EveryEvalExport(OutcomeQueries outcomes, CaseRepository cases, Summaries summaries, WrittenFiles files) {
        this.outcomes = outcomes;
        this.cases = cases;
        this.summaries = summaries;
        this.files = files;
    }

    /**
     * The archive.
     *
     * @throws AssayException CONFLICT when the campaign has not ended
     */
    InputStream open(StoredCampaign campaign, OutcomeFilter filter, EveryEvalChoices choices) {
        if (!campaign.state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaign.id() + " is " + campaign.state() + ": export it as eee when it has ended");
        }
        Instant ended = campaign.times().finished() == null
                ? campaign.createdAt()
                : campaign.times().finished();
        ImportOrigin origin = campaign.purpose() instanceof StoredCampaign.Imported(ImportOrigin from) ? from : null;
        EveryEvalBranch.Source source = new EveryEvalBranch.Source(
                campaign.id(),
                campaign.suite().name(),
                ended,
                origin == null ? "assay" : origin.tool(),
                origin == null || origin.toolVersion() == null ? "unknown" : origin.toolVersion());
        return files.open(out -> {
            CampaignSummary summary = summaries.summarize(campaign);
            try (ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
                for (int i = 0; i < campaign.definition().branches().size(); i++) {
                    Branch branch = campaign.definition().branches().get(i);
                    if (filter.branchId() == null || filter.branchId().equals(branch.id())) {
                        write(zip, campaign, filter, new EveryEvalBranch(source, branch, choices), choices, i, summary);
                    }
                }
            }
        });
    }

    private void write(
            ZipOutputStream zip,
            StoredCampaign campaign,
            OutcomeFilter filter,
            EveryEvalBranch branch,
            EveryEvalChoices choices,
            int index,
            CampaignSummary summary)
            throws IOException {
        zip.putNextEntry(entry(branch.path() + "_samples.jsonl"));
        Digested digested = new Digested(zip);
        int rows = samples(digested, campaign, filter, new EveryEvalSample(branch, choices), index);
        zip.closeEntry();
        BranchSummary ofBranch = summary.branches().get(index);
        ObjectNode aggregate = branch.aggregate(ofBranch.trialPassRate(), digested.sha256(), rows);
        if (aggregate != null) {
            zip.putNextEntry(entry(branch.path() + ".json"));
            zip.write(Json.indented(aggregate).getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
    }

    /** The same time in each archive: the same results have the same bytes. */
    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        return entry;
    }

    private int samples(
            OutputStream out, StoredCampaign campaign, OutcomeFilter filter, EveryEvalSample sample, int branch)
            throws IOException {
        CaseWindow window = new CaseWindow(cases, campaign.suite().id());
        int rows = 0;
        for (int ordinal = 0; ordinal < campaign.grid().size(); ordinal++) {
            for (OutcomeRow row : outcomes.transcripts(campaign.id(), ordinal)) {
                Boolean passed = row.passed();
                if (row.outcome().branchIndex() != branch || passed == null || !isMeant(row, filter)) {
                    continue;
                }
                ObjectNode line = sample.line(new EveryEvalSample.Cell(
                        window.at(campaign.grid().caseIndex(ordinal)),
                        row.trial(),
                        row.outcome(),
                        passed,
                        TrialScore.of(row.outcome()),
                        row.origin().source()));
                out.write((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
                rows++;
            }
        }
        return rows;
    }

    private static boolean isMeant(OutcomeRow row, OutcomeFilter filter) {
        return (filter.caseId() == null || filter.caseId().equals(row.caseId()))
                && (filter.trial() == null || filter.trial() == row.trial())
                && (filter.status() == null || filter.status() == row.outcome().status())
                && (filter.passed() == null || filter.passed().equals(row.passed()));
    }

    /** Hashes what it hands on. */
    private static final class Digested extends OutputStream {

        private final OutputStream out;
        private final MessageDigest digest;

        Digested(OutputStream out) {
            this.out = out;
            try {
                this.digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Each JDK has SHA-256", e);
            }
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            digest.update((byte) one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            digest.update(bytes, offset, length);
        }

        String sha256() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}

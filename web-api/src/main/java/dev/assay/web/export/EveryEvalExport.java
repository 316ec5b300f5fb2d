package dev.assay.web.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.graded.QuestionRule.Question;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.export.EveryEvalBranch;
import dev.assay.domain.export.EveryEvalChoices;
import dev.assay.domain.export.EveryEvalSample;
import dev.assay.domain.export.MetricMeans;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.server.ServerView;
import dev.assay.web.stream.WrittenFiles;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Results in the form of Every Eval Ever, as an archive that is written while it is read. */
@Singleton
final class EveryEvalExport {

    private static final String UNKNOWN = "unknown";

    private final CellReading reading;
    private final Summaries summaries;
    private final WrittenFiles files;

    /** What evaluated where nothing was imported. */
    private final String version;

    /** @param server null: unknown, as in tests */
    EveryEvalExport(CellReading reading, Summaries summaries, WrittenFiles files, @Nullable ServerView server) {
        this.version = server == null ? UNKNOWN : server.version();
        this.reading = reading;
        this.summaries = summaries;
        this.files = files;
    }

    /**
     * The archive.
     *
     * @throws AssayException CONFLICT when the campaign has not ended
     */
    InputStream open(ExportedCells cells, EveryEvalChoices choices) {
        StoredCampaign campaign = cells.campaign();
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
                origin == null ? version : Objects.requireNonNullElse(origin.toolVersion(), UNKNOWN),
                campaign.definition().graderAgents().stream()
                        .flatMap(grader -> grader.model().stream())
                        .distinct()
                        .toList());
        return files.open(out -> {
            CampaignSummary summary = summaries.summarize(campaign);
            // It gets its end only when all is there: what failed in the middle must not look whole.
            @SuppressWarnings("resource")
            ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
            String only = cells.filter().branchId();
            for (int i = 0; i < campaign.definition().branches().size(); i++) {
                Branch branch = campaign.definition().branches().get(i);
                if (only == null || only.equals(branch.id())) {
                    write(
                            zip,
                            cells.ofBranch(branch.id()),
                            new EveryEvalBranch(source, branch, choices),
                            choices,
                            summary.branches().get(i));
                }
            }
            zip.close();
        });
    }

    private void write(
            ZipOutputStream zip,
            ExportedCells cells,
            EveryEvalBranch branch,
            EveryEvalChoices choices,
            BranchSummary summary)
            throws IOException {
        zip.putNextEntry(entry(branch.path() + "_samples.jsonl"));
        Digested digested = new Digested(zip);
        EveryEvalBranch.Samples samples = samples(digested, cells, new EveryEvalSample(branch, choices));
        zip.closeEntry();
        ObjectNode aggregate = branch.aggregate(summary, samples);
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

    private EveryEvalBranch.Samples samples(Digested out, ExportedCells cells, EveryEvalSample sample)
            throws IOException {
        StoredCampaign campaign = cells.campaign();
        CaseWindow window = reading.cases(campaign);
        int[] rows = {0};
        Set<Question> asked = EnumSet.noneOf(Question.class);
        MetricMeans metrics = new MetricMeans(campaign.grid().cases());
        reading.<OutcomeRow, IOException>forEach(cells, OutcomeContent.TRANSCRIBED, row -> {
            Boolean passed = row.passed();
            if (passed == null) {
                return;
            }
            ObjectNode line = sample.line(new EveryEvalSample.Cell(
                    window.at(campaign.grid().caseIndex(row.outcome().ordinal())),
                    row.trial(),
                    row.outcome(),
                    passed,
                    row.score(),
                    row.origin().source()));
            out.write((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
            rows[0]++;
            asked.addAll(EveryEvalSample.asked(row.outcome().checks()));
            metrics.add(
                    campaign.grid().caseIndex(row.outcome().ordinal()),
                    row.outcome().checks());
        });
        return new EveryEvalBranch.Samples(out.sha256(), rows[0], asked, metrics);
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

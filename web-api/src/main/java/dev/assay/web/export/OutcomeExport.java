package dev.assay.web.export;

import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
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
import java.util.List;
import java.util.stream.LongStream;

/** Writes outcomes page by page, as the client takes them: a slow one holds one page, and no connection of the database. */
@Singleton
final class OutcomeExport {

    private static final int PAGE = 500;

    private final OutcomeQueries outcomes;
    private final CaseRepository cases;
    private final WrittenFiles files;

    OutcomeExport(OutcomeQueries outcomes, CaseRepository cases, WrittenFiles files) {
        this.outcomes = outcomes;
        this.cases = cases;
        this.files = files;
    }

    /** All outcomes that a filter keeps. Errors of the first page are known before an answer begins. */
    InputStream open(StoredCampaign campaign, OutcomeFilter filter, ExportFormat format) {
        return files.open(out -> {
            CaseWindow window = new CaseWindow(cases, campaign.suite().id());
            write(out, format.begin());
            Page.<OutcomeRow, IOException>forEach(
                    token -> outcomes.page(campaign.id(), filter, PageRequest.of(token, PAGE)),
                    row -> write(out, format.record(row, campaign, window)));
        });
    }

    /**
     * The same of some cases.
     *
     * @param positions of the cases, ascending
     */
    InputStream open(StoredCampaign campaign, List<Integer> positions, OutcomeFilter filter, ExportFormat format) {
        return files.open(out -> {
            CaseWindow window = new CaseWindow(cases, campaign.suite().id());
            write(out, format.begin());
            long end = (long) campaign.trials() * positions.size();
            int atOnce = Math.max(1, PAGE / campaign.definition().branches().size());
            for (long from = 0; from < end; from += atOnce) {
                List<Integer> ordinals = ordinals(campaign, positions, from, Math.min(end, from + atOnce));
                Page.<OutcomeRow, IOException>forEach(
                        token -> outcomes.ofTrials(campaign.id(), filter, ordinals, PageRequest.of(token, PAGE)),
                        row -> write(out, format.record(row, campaign, window)));
            }
        });
    }

    /** The numbers of some trials; {@code from} and {@code until} count those of all repetitions, from 0. */
    private static List<Integer> ordinals(StoredCampaign campaign, List<Integer> positions, long from, long until) {
        return LongStream.range(from, until)
                .mapToObj(i -> Math.toIntExact(
                        i / positions.size() * campaign.caseCount() + positions.get((int) (i % positions.size()))))
                .toList();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.assay.web.export;

import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.outcome.OutcomeView;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Outcomes as lines of text, written while a client takes them. */
@Singleton
final class OutcomeExport {

    private final CellReading reading;
    private final WrittenFiles files;

    OutcomeExport(CellReading reading, WrittenFiles files) {
        this.reading = reading;
        this.files = files;
    }

    /** JSON Lines. Errors of the first page are known before an answer begins. */
    InputStream jsonLines(ExportedCells cells) {
        return files.open(out -> writeJsonLines(out, cells));
    }

    /** Writes JSON Lines. */
    void writeJsonLines(OutputStream out, ExportedCells cells) throws IOException {
        reading.<OutcomeRow, IOException>forEach(
                cells, OutcomeContent.LISTED, row -> write(out, Json.write(OutcomeView.of(row)) + "\n"));
    }

    /** Comma-separated values; errors as of {@link #jsonLines}. */
    InputStream csv(ExportedCells cells) {
        return files.open(out -> {
            StoredCampaign campaign = cells.campaign();
            CaseWindow window = reading.cases(campaign);
            write(out, CsvRecord.HEADER);
            reading.<OutcomeRow, IOException>forEach(
                    cells, OutcomeContent.LISTED, row -> write(out, line(campaign, window, row)));
        });
    }

    private static String line(StoredCampaign campaign, CaseWindow window, OutcomeRow row) {
        Outcome outcome = row.outcome();
        return CsvRecord.of(
                row,
                window.at(campaign.grid().caseIndex(outcome.ordinal())),
                campaign.definition().branches().get(outcome.branchIndex()).systemPrompt());
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}

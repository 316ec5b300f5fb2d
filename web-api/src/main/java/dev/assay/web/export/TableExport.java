package dev.assay.web.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page.ItemReader;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeRecord;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.parquet.ParquetColumn;
import dev.assay.web.parquet.ParquetType;
import dev.assay.web.parquet.ParquetWriter;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Results as tables, written while a client takes them. Errors of the first rows are known before an answer begins. */
@Singleton
final class TableExport {

    private final CellReading reading;
    private final OutcomeExport outcomes;
    private final WrittenFiles files;

    TableExport(CellReading reading, OutcomeExport outcomes, WrittenFiles files) {
        this.reading = reading;
        this.outcomes = outcomes;
        this.files = files;
    }

    /** The outcomes as a Parquet file. */
    InputStream parquet(ExportedCells cells) {
        return files.open(out -> write(out, cells, ExportFormat.PARQUET, ExportTable.OUTCOMES));
    }

    /** Some tables as an archive with a file of each. */
    InputStream archive(ExportedCells cells, ExportFormat format, List<ExportTable> tables) {
        return files.open(out -> {
            // It gets its end only when all is there: what failed in the middle must not look whole.
            @SuppressWarnings("resource")
            ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
            if (format == ExportFormat.PARQUET) {
                zip.setLevel(Deflater.NO_COMPRESSION);
            }
            for (ExportTable table : tables) {
                ZipEntry entry = new ZipEntry(table.word() + "." + format.word());
                entry.setTime(0);
                zip.putNextEntry(entry);
                write(zip, cells, format, table);
                zip.closeEntry();
            }
            zip.close();
        });
    }

    private void write(OutputStream out, ExportedCells cells, ExportFormat format, ExportTable table)
            throws IOException {
        String campaign = cells.campaign().id();
        switch (table) {
            case OUTCOMES -> writeOutcomes(out, cells, format);
            case CHECKS ->
                write(
                        out,
                        format,
                        CheckTable.COLUMNS,
                        rows -> reading.forEach(
                                cells, OutcomeContent.LISTED, row -> addAll(CheckTable.rows(campaign, row), rows)));
            case LABELS ->
                write(
                        out,
                        format,
                        LabelTable.COLUMNS,
                        rows -> reading.forEach(
                                cells, OutcomeContent.LISTED, row -> addAll(LabelTable.rows(campaign, row), rows)));
            case CASES -> write(out, format, SuiteCaseTable.COLUMNS, rows -> reading.forEachCase(cells, rows));
        }
    }

    /** In JSON Lines an outcome is as everywhere. */
    private void writeOutcomes(OutputStream out, ExportedCells cells, ExportFormat format) throws IOException {
        if (format == ExportFormat.JSONL) {
            outcomes.writeJsonLines(out, cells);
            return;
        }
        StoredCampaign campaign = cells.campaign();
        CaseWindow window = reading.cases(campaign);
        write(
                out,
                format,
                OutcomeTable.COLUMNS,
                rows -> reading.forEach(
                        cells, OutcomeContent.RECORDED, recorded -> rows.read(cell(campaign, window, recorded))));
    }

    private static OutcomeTable.Cell cell(StoredCampaign campaign, CaseWindow window, OutcomeRecord recorded) {
        OutcomeRow row = recorded.row();
        return new OutcomeTable.Cell(
                campaign.id(),
                recorded,
                window.at(campaign.grid().caseIndex(row.outcome().ordinal())),
                campaign.definition()
                        .branches()
                        .get(row.outcome().branchIndex())
                        .agent());
    }

    private static <T> void addAll(List<T> all, ItemReader<T, IOException> rows) throws IOException {
        for (T one : all) {
            rows.read(one);
        }
    }

    /** Hands over the rows of a table. */
    @FunctionalInterface
    private interface Rows<T> {
        void to(ItemReader<T, IOException> rows) throws IOException;
    }

    private static <T> void write(OutputStream out, ExportFormat format, List<ParquetColumn<T>> columns, Rows<T> rows)
            throws IOException {
        if (format == ExportFormat.JSONL) {
            rows.to(row -> out.write((Json.write(object(columns, row)) + "\n").getBytes(StandardCharsets.UTF_8)));
            return;
        }
        ParquetWriter<T> table = new ParquetWriter<>(out, columns);
        rows.to(table::add);
        table.finish();
    }

    private static <T> ObjectNode object(List<ParquetColumn<T>> columns, T row) {
        ObjectNode object = Json.mapper().createObjectNode();
        for (ParquetColumn<T> column : columns) {
            Object value = column.value().apply(row);
            object.set(
                    column.name(),
                    column.type() == ParquetType.JSON && value != null
                            ? Json.tree(value.toString())
                            : Json.mapper().valueToTree(value));
        }
        return object;
    }
}

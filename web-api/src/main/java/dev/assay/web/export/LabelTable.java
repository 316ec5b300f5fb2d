package dev.assay.web.export;

import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.LabelView;
import dev.assay.web.parquet.ParquetColumn;
import dev.assay.web.parquet.ParquetType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of labels in force. */
final class LabelTable {

    static final List<ParquetColumn<Said>> COLUMNS = List.of(
            column("campaign", ParquetType.STRING, Said::campaign),
            column("case", ParquetType.STRING, said -> said.row().caseId()),
            column("branch", ParquetType.STRING, said -> said.row().branchId()),
            column("trial", ParquetType.INT32, said -> said.row().trial()),
            column("check", ParquetType.STRING, said -> said.label().check()),
            column("verdict", ParquetType.STRING, said -> said.label().verdict()),
            column("labeller", ParquetType.STRING, said -> said.label().labeller()),
            column("note", ParquetType.STRING, said -> said.label().note()),
            column("sample", ParquetType.STRING, said -> said.label().sample()),
            column("score", ParquetType.DOUBLE, said -> said.label().score()),
            column("at", ParquetType.TIMESTAMP, said -> said.label().at()));

    private LabelTable() {}

    /** A row. */
    record Said(String campaign, OutcomeRow row, LabelView label) {}

    /** The rows of an outcome. */
    static List<Said> rows(String campaign, OutcomeRow row) {
        return row.labels().stream()
                .map(label -> new Said(campaign, row, LabelView.of(label)))
                .toList();
    }

    private static ParquetColumn<Said> column(
            String name, ParquetType type, Function<Said, ? extends @Nullable Object> value) {
        return new ParquetColumn<>(name, type, value);
    }
}

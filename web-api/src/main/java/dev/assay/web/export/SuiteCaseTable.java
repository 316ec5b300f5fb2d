package dev.assay.web.export;

import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.suite.Case;
import dev.assay.web.export.CellReading.Placed;
import dev.assay.web.parquet.ParquetColumn;
import dev.assay.web.parquet.ParquetType;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of cases. */
final class SuiteCaseTable {

    static final List<ParquetColumn<Placed>> COLUMNS = List.of(
            column("case", ParquetType.STRING, placed -> placed.asked().id()),
            column("prompt", ParquetType.STRING, placed -> prompt(placed.asked())),
            column(
                    "context",
                    ParquetType.JSON,
                    placed -> Json.write(placed.asked().context())),
            column(
                    "metadata",
                    ParquetType.JSON,
                    placed -> Json.write(new TreeMap<>(placed.asked().metadata()))),
            column(
                    "vars",
                    ParquetType.JSON,
                    placed -> Json.write(new TreeMap<>(placed.asked().vars()))),
            column("tags", ParquetType.STRINGS, placed -> placed.asked().tags()),
            column("place", ParquetType.INT32, Placed::place));

    private SuiteCaseTable() {}

    /** What is asked, as one text. */
    static String prompt(Case asked) {
        return asked.prompts().stream().map(Message::text).collect(Collectors.joining("\n\n"));
    }

    private static ParquetColumn<Placed> column(
            String name, ParquetType type, Function<Placed, ? extends @Nullable Object> value) {
        return new ParquetColumn<>(name, type, value);
    }
}

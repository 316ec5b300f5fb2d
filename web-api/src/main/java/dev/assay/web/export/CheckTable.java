package dev.assay.web.export;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.json.Json;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.parquet.ParquetColumn;
import dev.assay.web.parquet.ParquetType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of checks: a row for each result, those of a group behind it. */
final class CheckTable {

    static final List<ParquetColumn<Said>> COLUMNS = List.of(
            column("campaign", ParquetType.STRING, Said::campaign),
            column("case", ParquetType.STRING, said -> said.row().caseId()),
            column("branch", ParquetType.STRING, said -> said.row().branchId()),
            column("trial", ParquetType.INT32, said -> said.row().trial()),
            column("place", ParquetType.INT32, Said::place),
            column("parent", ParquetType.INT32, Said::parent),
            column("type", ParquetType.STRING, said -> said.result().type()),
            column("metric", ParquetType.STRING, said -> said.result().metric()),
            column("status", ParquetType.STRING, said -> said.result().status()),
            column("score", ParquetType.DOUBLE, said -> said.result().score()),
            column("weight", ParquetType.DOUBLE, said -> said.result().share()),
            column("required", ParquetType.BOOLEAN, said -> said.result().required()),
            column("reason", ParquetType.STRING, said -> said.result().reason()),
            column("evaluator", ParquetType.STRING, said -> said.result().evaluator()),
            column("value", ParquetType.JSON, CheckTable::value));

    private CheckTable() {}

    /**
     * A row.
     *
     * @param place among the results of its outcome, from 0
     * @param parent place of its group; null: it is in none
     */
    record Said(
            String campaign,
            OutcomeRow row,
            CheckResult result,
            int place,
            @Nullable Integer parent) {}

    /** The rows of an outcome. */
    static List<Said> rows(String campaign, OutcomeRow row) {
        List<Said> rows = new ArrayList<>();
        add(campaign, row, row.outcome().checks(), null, rows);
        return rows;
    }

    private static void add(
            String campaign, OutcomeRow row, List<CheckResult> results, @Nullable Integer parent, List<Said> rows) {
        for (CheckResult result : results) {
            int place = rows.size();
            rows.add(new Said(campaign, row, result, place, parent));
            add(campaign, row, result.members(), place, rows);
        }
    }

    private static ParquetColumn<Said> column(
            String name, ParquetType type, Function<Said, ? extends @Nullable Object> value) {
        return new ParquetColumn<>(name, type, value);
    }

    private static @Nullable String value(Said said) {
        return said.result().value() == null ? null : Json.write(said.result().value());
    }
}

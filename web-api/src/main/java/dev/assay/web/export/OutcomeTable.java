package dev.assay.web.export;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.Served;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.error.Failure;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.OutcomeRecord;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.parquet.ParquetColumn;
import dev.assay.web.parquet.ParquetType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of outcomes: a row for each cell. People and programs rely on its columns: new ones stand behind. */
final class OutcomeTable {

    static final List<ParquetColumn<Cell>> COLUMNS = List.of(
            column("campaign", ParquetType.STRING, Cell::campaign),
            column("case", ParquetType.STRING, cell -> cell.row().caseId()),
            column("branch", ParquetType.STRING, cell -> cell.row().branchId()),
            column("trial", ParquetType.INT32, cell -> cell.row().trial()),
            column("status", ParquetType.STRING, cell -> cell.outcome().status()),
            column("source", ParquetType.STRING, cell -> cell.row().origin().source()),
            column("passed", ParquetType.BOOLEAN, cell -> cell.row().passed()),
            column("score", ParquetType.DOUBLE, cell -> cell.row().score()),
            column("selected", ParquetType.BOOLEAN, cell -> cell.row().selected()),
            column("response", ParquetType.STRING, cell -> cell.outcome().response()),
            column("input_tokens", ParquetType.INT64, cell -> cell.usage().input()),
            column("output_tokens", ParquetType.INT64, cell -> cell.usage().output()),
            column("reasoning_tokens", ParquetType.INT64, cell -> cell.usage().reasoning()),
            column("cache_read_tokens", ParquetType.INT64, cell -> cell.usage().cacheRead()),
            column("cache_write_tokens", ParquetType.INT64, cell -> cell.usage().cacheWrite()),
            column("total_tokens", ParquetType.INT64, cell -> cell.usage().total()),
            column("cost_usd", ParquetType.DECIMAL, cell -> cell.outcome().costUsd()),
            column(
                    "latency_ms",
                    ParquetType.INT64,
                    cell -> cell.outcome().measured().isTimed()
                            ? (Long) cell.outcome().latency().toMillis()
                            : null),
            column("attempts", ParquetType.INT32, cell -> cell.outcome().end().attempts()),
            column(
                    "finish_reason",
                    ParquetType.STRING,
                    cell -> cell.outcome().answer().finishReason()),
            column("error_code", ParquetType.STRING, failure(Failure::code)),
            column("error_message", ParquetType.STRING, failure(Failure::message)),
            column("provider", ParquetType.STRING, cell -> cell.agent().storedProvider()),
            column("model", ParquetType.STRING, cell -> cell.agent().storedName()),
            column("served_model", ParquetType.STRING, OutcomeTable::served),
            column("origin_campaign", ParquetType.STRING, origin(Draw::campaign)),
            column("origin_case", ParquetType.STRING, origin(Draw::caseId)),
            column("origin_branch", ParquetType.STRING, origin(Draw::branchId)),
            column("origin_trial", ParquetType.INT32, origin(Draw::trial)),
            column("origin_draw", ParquetType.INT32, origin(Draw::draw)),
            column("answer_hash", ParquetType.STRING, cell -> cell.recorded().answerHash()),
            column(
                    "answered_at",
                    ParquetType.TIMESTAMP,
                    cell -> cell.row().origin().answeredAt()),
            column("finished_at", ParquetType.TIMESTAMP, cell -> cell.row().finishedAt()),
            column("messages", ParquetType.JSON, cell -> cell.recorded().messages()),
            column("tags", ParquetType.STRINGS, cell -> cell.asked().tags()),
            column("output", ParquetType.JSON, OutcomeTable::output));

    private OutcomeTable() {}

    /**
     * A row.
     *
     * @param agent of its branch
     */
    record Cell(String campaign, OutcomeRecord recorded, Case asked, Agent agent) {

        OutcomeRow row() {
            return recorded.row();
        }

        Outcome outcome() {
            return recorded.row().outcome();
        }

        Usage usage() {
            return outcome().usage();
        }
    }

    private static ParquetColumn<Cell> column(
            String name, ParquetType type, Function<Cell, ? extends @Nullable Object> value) {
        return new ParquetColumn<>(name, type, value);
    }

    private static Function<Cell, @Nullable Object> failure(Function<Failure, Object> of) {
        return cell -> cell.outcome().failure() == null
                ? null
                : of.apply(cell.outcome().failure());
    }

    private static Function<Cell, @Nullable Object> origin(Function<Draw, Object> of) {
        return cell -> {
            Draw draw = cell.row().origin().draw();
            return draw == null ? null : of.apply(draw);
        };
    }

    private static @Nullable String served(Cell cell) {
        Served served = cell.outcome().answer().provenance().served();
        return served == null ? null : served.model();
    }

    private static @Nullable String output(Cell cell) {
        return cell.outcome().answer().output() == null
                ? null
                : Json.write(cell.outcome().answer().output());
    }
}

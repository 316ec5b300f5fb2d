package dev.assay.store.journal;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.replay.RequestKey;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The writer of judge calls, which closes their cells and counts them. */
final class JudgeCallWriter {

    private static final String INSERT_PROMPT = """
        INSERT INTO judge_prompt (prompt_hash, system_prompt, prompt) VALUES (?, ?, ?)
        ON CONFLICT (prompt_hash) DO NOTHING\
        """;

    private static final RowColumns<RecordJudgeCall> COLUMNS = RowColumns.<RecordJudgeCall>of()
            .key("campaign_id", RecordJudgeCall::campaignId)
            .key("ordinal", entry -> entry.call().ordinal())
            .key("member", entry -> entry.call().slot())
            .key("graded_branch", JudgeCallWriter::gradedBranch)
            .column("epoch", RecordJudgeCall::epoch)
            .column("loop_id", entry -> entry.call().loopId())
            .column("status", entry -> entry.call().status().name())
            .column("prompt_hash", entry -> hash(entry.call()))
            .column("shown", "integer[]", entry -> entry.call().answer().shown())
            .column("reply", entry -> entry.call().answer().reply())
            .json("compaction", entry -> entry.call().asked().compaction())
            .column("warning", entry -> entry.call().asked().warning())
            .usage(entry -> entry.call().usage())
            .column("cost_usd", entry -> entry.call().costUsd())
            .column(
                    "latency_ms",
                    entry -> Math.max(0, entry.call().measured().latency().toMillis()))
            .column("attempts", entry -> entry.call().attempts())
            .failure(entry -> entry.call().answer().failure())
            .column("model", entry -> entry.call().model())
            .column("evaluator_hash", entry -> entry.call().evaluator())
            .provenance(entry -> entry.call().provenance())
            .columnOr("source", "text", "'LIVE'", entry -> DrawColumns.source(entry.draw()))
            .column("origin_campaign", entry -> DrawColumns.ofDraw(entry.draw(), Draw::campaign))
            .column("origin_case", entry -> DrawColumns.ofDraw(entry.draw(), Draw::caseId))
            .column("origin_trial", entry -> DrawColumns.ofDraw(entry.draw(), Draw::trial))
            .columnOr("answered_at", "timestamptz", "now()", entry -> DrawColumns.answeredAt(entry.draw()))
            .column("request_key", entry -> DrawColumns.ofRequest(entry.draw(), RequestName::key))
            .columnOr("delivery", "text", "'LIVE'", entry -> DrawColumns.delivery(entry.draw()))
            .column("batch_id", entry -> DrawColumns.batchId(entry.draw()))
            .columnOr("cost_assumed", "boolean", "false", entry -> DrawColumns.costAssumed(entry.draw()));

    // As with outcomes: a final call is never replaced.
    private static final String INSERT_CALL =
            COLUMNS.insert("judge_call AS j") + " ON CONFLICT (campaign_id, ordinal, member) DO UPDATE SET "
                    + COLUMNS.replaced() + ", finished_at = now() WHERE j.status IN ('CANCELLED', 'BUDGET_SKIPPED')";

    private JudgeCallWriter() {}

    /** Whether it closes a cell that is out; a copy of what a batch brought closes one that its worker holds. */
    private static boolean isOut(RecordJudgeCall entry) {
        return entry.draw().delivered() != null && entry.draw().origin() == null;
    }

    /**
     * Writes the calls that stand. A call whose cell was taken from its worker read outcomes that a re-run has replaced, or another
     * worker makes it now. Such a call counts for nothing. The ledger keeps its cost.
     *
     * @return the calls that were written
     */
    static List<RecordJudgeCall> write(Sql sql, List<RecordJudgeCall> entries) {
        Map<Boolean, List<RecordJudgeCall>> byDelivery =
                entries.stream().collect(Collectors.partitioningBy(JudgeCallWriter::isOut));
        List<RecordJudgeCall> standing = Stream.concat(
                        CellWriter.closeHeld(sql, byDelivery.getOrDefault(false, List.of()), JudgeCallWriter::closed)
                                .stream(),
                        CellWriter.closeOut(sql, byDelivery.getOrDefault(true, List.of()), JudgeCallWriter::closed)
                                .stream())
                .toList();
        // In the order of their hashes, so that no two transactions wait for each other's prompts.
        List<FinishedJudgeCall> calls = standing.stream()
                .map(RecordJudgeCall::call)
                .sorted(Comparator.comparing(JudgeCallWriter::hash))
                .toList();
        sql.batch(
                INSERT_PROMPT,
                calls,
                call -> Sql.row(
                        hash(call), call.asked().systemPrompt(), call.asked().prompt()));
        ProgressDelta progress = new ProgressDelta();
        List<RecordJudgeCall> written = sql.changed(INSERT_CALL, standing, COLUMNS::parameters);
        written.stream()
                .filter(entry -> entry.call().status().isFinal())
                .forEach(entry -> progress.judgeDone(
                        entry.campaignId(),
                        entry.workerId(),
                        entry.call().usage(),
                        entry.call().costUsd()));
        progress.write(sql);
        return written;
    }

    private static CellWriter.Closed closed(RecordJudgeCall entry) {
        FinishedJudgeCall call = entry.call();
        return new CellWriter.Closed(
                entry.cell(), entry.epoch(), entry.workerId(), call.status().isFinal(), call.attempts());
    }

    private static @Nullable Integer gradedBranch(RecordJudgeCall entry) {
        FinishedJudgeCall call = entry.call();
        return call.kind() == CellKind.GRADE ? GradeSlot.of(call.slot()).branch() : null;
    }

    private static String hash(FinishedJudgeCall call) {
        return RequestKey.sha256(
                call.asked().systemPrompt() + '\u0000' + call.asked().prompt());
    }
}

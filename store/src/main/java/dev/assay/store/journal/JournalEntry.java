package dev.assay.store.journal;

import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.CellClaim;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One write of a running cell. */
public sealed interface JournalEntry {

    /**
     * A request that is about to be sent.
     *
     * @param requestId from {@link RunJournal#nextRequestId}
     * @param claim on the cell that asks
     * @param attempt of the cell, from 1
     * @param turn of the agent loop, from 1
     * @param provider who is asked
     * @param model which model
     * @param worstCaseUsd what it may cost at most; null where no price is known
     * @param begins whether it is the first write of the cell under its claim
     */
    record Reserve(
            long requestId,
            CellClaim claim,
            int attempt,
            int turn,
            String provider,
            String model,
            @Nullable BigDecimal worstCaseUsd,
            boolean begins)
            implements JournalEntry {}

    /**
     * A cell that begins to run before it sends a request: from now on it may be what kills its worker.
     *
     * @param claim on the cell
     */
    record Begin(CellClaim claim) implements JournalEntry {}

    /**
     * The end of a request.
     *
     * @param requestId the one of its {@link Reserve}
     * @param reservedUsd what was reserved; null where no price is known
     * @param costUsd what it cost; null where no price is known
     * @param totalTokens tokens of the answer; null when there was none
     * @param failure why there was no answer; null when there was one
     */
    record Settle(
            long requestId,
            String campaignId,
            @Nullable BigDecimal reservedUsd,
            @Nullable BigDecimal costUsd,
            @Nullable Long totalTokens,
            @Nullable Failure failure)
            implements JournalEntry {}

    /**
     * The outcome of a branch's cell; closes the cell.
     *
     * @param epoch in which the cell ran
     * @param workerId who ran it
     * @param caseIndex the case, from 0
     * @param trial which repetition, from 1
     * @param outcome what came out
     * @param passed whether the trial passes on this branch; null: no evidence
     * @param warnings what its loop warned of, as sentences
     */
    record RecordOutcome(
            String campaignId,
            int epoch,
            String workerId,
            int caseIndex,
            int trial,
            Outcome outcome,
            @Nullable Boolean passed,
            List<String> warnings)
            implements JournalEntry {

        public RecordOutcome {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The outcome of a branch's cell whose checks have yet to be graded; closes the cell.
     *
     * @param outcome of which nothing is counted yet
     */
    record SetAside(RecordOutcome outcome) implements JournalEntry {}

    /**
     * An outcome that was set aside, with its grades.
     *
     * @param reruns of the campaign when its grades were read; a re-run since then keeps it from being written
     */
    record RecordGrades(RecordOutcome outcome, int reruns) implements JournalEntry {}

    /**
     * The end of a judge's cell; closes the cell.
     *
     * @param epoch in which the cell ran
     * @param workerId who ran it
     * @param call what the judge read and said
     */
    record RecordJudgeCall(String campaignId, int epoch, String workerId, FinishedJudgeCall call)
            implements JournalEntry {}

    /**
     * An attempt that failed and may be tried again; frees the cell.
     *
     * @param claim on the cell
     * @param attempts attempts counted now, this one included
     * @param failure why it failed
     * @param delay not before
     */
    record Postpone(CellClaim claim, int attempts, Failure failure, Duration delay) implements JournalEntry {}

    /**
     * A turn that called tools, before they run.
     *
     * @param claim on the cell
     * @param turn what the model answered; its calls are written apart
     */
    record RecordTurn(CellClaim claim, RecordedTurn turn) implements JournalEntry {}

    /**
     * A tool call: before it runs, or with its result.
     *
     * @param claim on the cell
     * @param turn that made the call, from 1
     * @param call its place in the turn, from 0
     * @param result that the model gets; null: the call is about to run
     */
    record RecordTool(
            CellClaim claim, int turn, int call, @Nullable Message result) implements JournalEntry {}
}

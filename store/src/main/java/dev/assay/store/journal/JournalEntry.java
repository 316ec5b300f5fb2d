package dev.assay.store.journal;

import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.delivery.ItemState;
import dev.assay.domain.draw.DrawRecord;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluator.Evaluator;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One write of a running cell. */
public sealed interface JournalEntry {

    /** The campaign that it belongs to: what PostgreSQL refuses of one holds up no other. */
    String campaignId();

    /** A write of one attempt at a cell. */
    sealed interface OfAttempt extends JournalEntry {

        /** The attempt, under the claim of its worker. */
        AttemptKey attempt();

        @Override
        default String campaignId() {
            return attempt().cell().campaignId();
        }
    }

    /** A write of a cell that its worker holds. */
    sealed interface OfCell extends JournalEntry {

        /** The claim of the worker. */
        CellClaim claim();

        @Override
        default String campaignId() {
            return claim().cell().campaignId();
        }
    }

    /**
     * An evaluator that results are about to name.
     *
     * @param campaignId whose results these are
     */
    record NoteEvaluator(String campaignId, Evaluator evaluator) implements JournalEntry {}

    /**
     * A request that is about to be sent.
     *
     * @param requestId from {@link RunJournal#nextRequestId}
     * @param turn of the agent loop, from 1
     * @param worstCaseUsd what it may cost at most; null where no price is known
     * @param mostAttempts of its cell, where the attempt begins with this request: see {@link Begin}; null: it has begun
     */
    record Reserve(
            long requestId,
            AttemptKey attempt,
            int turn,
            String provider,
            String model,
            @Nullable BigDecimal worstCaseUsd,
            @Nullable Integer mostAttempts)
            implements OfAttempt {}

    /**
     * An attempt that begins, alone or with its first request. It is counted from now on, and its cell may be what kills its worker.
     *
     * @param mostAttempts attempts of the cell that may begin, beside up to {@link #MOST_LOST} that were lost with their workers
     */
    record Begin(AttemptKey attempt, int mostAttempts) implements OfAttempt {

        /** The lost attempts that come on top of the limit: a cell that ends more workers than these is not run again. */
        public static final int MOST_LOST = 4;
    }

    /**
     * An attempt that does not count, since its cell was stopped in good order; nothing where it was given back already.
     */
    record GiveBack(AttemptKey attempt) implements OfAttempt {}

    /** The reason why an attempt does not count. */
    enum NoAttempt {
        /** Its cell was stopped: by a pause, a cancel, a new epoch, or a worker that ends in good order. */
        STOPPED,
        /** The request was given up before it was sent. */
        UNSENT
    }

    /** An attempt that does not count, since the provider was away or refused it for now. The cell stays with its worker. */
    record Excuse(long requestId, AttemptKey attempt, dev.assay.domain.limit.outage.NoAttempt why)
            implements OfAttempt {}

    /**
     * The end of a request.
     *
     * @param requestId the one of its {@link Reserve}
     * @param reservedUsd what was reserved; null where no price is known
     * @param costUsd what it cost; null where no price is known
     * @param totalTokens tokens of the answer; null when there was none, or when they were not reported
     * @param failure why there was no answer; null when there was one
     * @param noAttempt why its attempt does not count, which is given back then; null: it counts
     */
    record Settle(
            long requestId,
            AttemptKey attempt,
            @Nullable BigDecimal reservedUsd,
            @Nullable BigDecimal costUsd,
            @Nullable Long totalTokens,
            @Nullable Failure failure,
            @Nullable NoAttempt noAttempt)
            implements OfAttempt {}

    /**
     * The outcome of a branch's cell; closes the cell.
     *
     * @param caseIndex the case, from 0
     * @param trial which repetition, from 1
     * @param passed whether the trial passes on this branch; null: no evidence
     * @param score how well it went, 0–1; null: not known
     * @param warnings what its loop warned of, as sentences
     * @param draw what it answers, and of what it is a copy
     */
    record RecordOutcome(
            String campaignId,
            int epoch,
            String workerId,
            int caseIndex,
            int trial,
            Outcome outcome,
            @Nullable Boolean passed,
            @Nullable Double score,
            List<String> warnings,
            DrawRecord draw)
            implements JournalEntry {

        public RecordOutcome {
            warnings = List.copyOf(warnings);
        }

        /** An outcome with the score of its checks. */
        public RecordOutcome(
                String campaignId,
                int epoch,
                String workerId,
                int caseIndex,
                int trial,
                Outcome outcome,
                @Nullable Boolean passed,
                List<String> warnings,
                DrawRecord draw) {
            this(
                    campaignId,
                    epoch,
                    workerId,
                    caseIndex,
                    trial,
                    outcome,
                    passed,
                    TrialScore.of(outcome),
                    warnings,
                    draw);
        }

        /** An outcome whose answer is neither a copy nor can be reused. */
        public RecordOutcome(
                String campaignId,
                int epoch,
                String workerId,
                int caseIndex,
                int trial,
                Outcome outcome,
                @Nullable Boolean passed,
                List<String> warnings) {
            this(campaignId, epoch, workerId, caseIndex, trial, outcome, passed, warnings, DrawRecord.NONE);
        }

        /** The cell of the branch. */
        CellKey cell() {
            return new CellKey(campaignId, outcome.ordinal(), CellKind.BRANCH, outcome.branchIndex());
        }

        /** The same without its transcript and the results of its checks, since PostgreSQL refuses them. */
        RecordOutcome withoutTranscript(String refusal) {
            return new RecordOutcome(
                    campaignId,
                    epoch,
                    workerId,
                    caseIndex,
                    trial,
                    outcome.withoutTranscript(),
                    passed,
                    score,
                    List.of("The transcript and the results of checks are not stored: " + refusal),
                    draw);
        }

        /** An error in its place, since PostgreSQL refuses all that was said. */
        RecordOutcome withoutContent(String refusal) {
            Failure failure = new Failure(ErrorCode.INTERNAL, "The answer cannot be stored: " + refusal);
            Outcome empty = outcome.withoutContent(failure);
            return new RecordOutcome(campaignId, epoch, workerId, caseIndex, trial, empty, false, List.of(), draw);
        }
    }

    /**
     * The outcome of a branch's cell whose checks have yet to be graded; closes the cell.
     *
     * @param outcome of which nothing is counted yet
     */
    record SetAside(RecordOutcome outcome) implements JournalEntry {

        @Override
        public String campaignId() {
            return outcome.campaignId();
        }
    }

    /**
     * An outcome that was set aside, as own code left it for its graders.
     *
     * @param reruns of the campaign when the outcome was read; a re-run since then keeps it from being written
     */
    record Prepare(String campaignId, Outcome outcome, Prepared prepared, int reruns) implements JournalEntry {}

    /**
     * An outcome that was set aside, with its grades.
     *
     * @param reruns of the campaign when its grades were read; a re-run since then keeps it from being written
     */
    record RecordGrades(RecordOutcome outcome, int reruns) implements JournalEntry {

        @Override
        public String campaignId() {
            return outcome.campaignId();
        }
    }

    /**
     * The end of a judge's cell; closes the cell.
     *
     * @param call what the judge read and said
     */
    record RecordJudgeCall(String campaignId, int epoch, String workerId, FinishedJudgeCall call, DrawRecord draw)
            implements JournalEntry {

        /** A call that is neither a copy nor can be reused. */
        public RecordJudgeCall(String campaignId, int epoch, String workerId, FinishedJudgeCall call) {
            this(campaignId, epoch, workerId, call, DrawRecord.NONE);
        }

        /** The cell of the call. */
        CellKey cell() {
            return new CellKey(campaignId, call.ordinal(), call.kind(), call.slot());
        }

        /** The same without its question, since PostgreSQL refuses it. */
        RecordJudgeCall withoutQuestion(String refusal) {
            return new RecordJudgeCall(campaignId, epoch, workerId, call.withoutQuestion(refusal), draw);
        }

        /** An error in its place, since PostgreSQL refuses all that was said. */
        RecordJudgeCall withoutContent(String refusal) {
            Failure failure = new Failure(ErrorCode.INTERNAL, "The reply cannot be stored: " + refusal);
            return new RecordJudgeCall(
                    campaignId, epoch, workerId, call.withoutQuestion(refusal).withoutReply(failure), draw);
        }
    }

    /**
     * An answer that was paid and whose content PostgreSQL refuses. It is counted once for each attempt.
     *
     * @param attempt which attempt, from 1
     * @param costUsd what it cost; null where no price is known
     */
    record CountUnstored(
            CellKey cell, int attempt, @Nullable BigDecimal costUsd) implements JournalEntry {

        @Override
        public String campaignId() {
            return cell.campaignId();
        }
    }

    /** The end of a request that was in a batch of its provider. It is written once: later ends of the same request change nothing. */
    record EndItem(OutItem item, Settled end, AfterItem after) implements JournalEntry {

        /**
         * A request that is in a batch.
         *
         * @param attempt of its cell, from 1
         * @param round the how many-th batch it is of its cell, from 1
         * @param reservedUsd what was reserved for it; null: no price is known
         */
        public record OutItem(
                String batchId,
                long requestId,
                CellKey cell,
                int attempt,
                int round,
                @Nullable BigDecimal reservedUsd) {}

        /**
         * How it ended.
         *
         * @param state that its item gets
         * @param row that its row of the ledger gets: ANSWERED, FAILED or UNKNOWN
         * @param costUsd what it cost; null: no price is known
         * @param totalTokens of the answer; null: there is none, or it does not say
         * @param code why it has no answer; null: it has one
         * @param noAttempt why its attempt does not count, which is given back then; null: it counts
         */
        public record Settled(
                ItemState state,
                String row,
                @Nullable BigDecimal costUsd,
                @Nullable Long totalTokens,
                @Nullable ErrorCode code,
                @Nullable String noAttempt) {}

        /**
         * What becomes of its cell.
         *
         * @param closes the outcome that closes it, or that is set aside for its grades; null: it is open again
         * @param goesLive whether an open cell is asked live from now on
         */
        public record AfterItem(@Nullable JournalEntry closes, boolean goesLive) {

            /** The cell is open, for another batch. */
            public static final AfterItem OPEN = new AfterItem(null, false);

            /** The cell is open, and asked live. */
            public static final AfterItem LIVE = new AfterItem(null, true);
        }

        @Override
        public String campaignId() {
            return item.cell().campaignId();
        }

        /** The same that closes its cell by another entry. */
        EndItem closing(JournalEntry other) {
            return new EndItem(item, end, new AfterItem(other, false));
        }
    }

    /** The pause of a campaign whose rows PostgreSQL refuses. */
    record PauseRefused(String campaignId, String reason) implements JournalEntry {}

    /**
     * An attempt that failed and may be tried again; frees the cell.
     *
     * @param attempts attempts counted now, this one included
     * @param delay not before
     */
    record Postpone(CellClaim claim, int attempts, Failure failure, Duration delay) implements OfCell {}

    /**
     * A turn that called tools, before they run.
     *
     * @param turn what the model answered; its calls are written apart
     */
    record RecordTurn(CellClaim claim, RecordedTurn turn) implements OfCell {}

    /**
     * A tool call: before it runs, or with its result.
     *
     * @param turn that made the call, from 1
     * @param call its place in the turn, from 0
     * @param result that the model gets; null: the call is about to run
     */
    record RecordTool(
            CellClaim claim, int turn, int call, @Nullable Message result) implements OfCell {}
}

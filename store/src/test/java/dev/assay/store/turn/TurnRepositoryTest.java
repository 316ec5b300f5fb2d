package dev.assay.store.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.agent.Served;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.RecordTool;
import dev.assay.store.journal.JournalEntry.RecordTurn;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import dev.assay.store.worker.WorkerRepository;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@StoreTest
final class TurnRepositoryTest {

    private static final Message CALLS = new Message(
            Role.ASSISTANT,
            List.of(
                    new Content.Thinking("Both.", "sig"),
                    new Content.ToolCall("c1", "send", Json.tree("{\"to\":\"Ada\"}")),
                    new Content.ToolCall("c2", "send", Json.tree("{}"))),
            null);
    private static final Provenance ORIGIN =
            new Provenance(null, Json.tree("{\"max_tokens\": 5}"), new Served("m-1", null, "flex"));

    private static final Message RESULT =
            new Message(Role.TOOL, List.of(new Content.Text("sent")), new Message.ToolResult("c1", "send", false));

    private final StoreFixture store;
    private final RunJournal journal;
    private final TurnRepository turns;
    private final CellRepository cells;
    private final WorkerRepository workers;

    TurnRepositoryTest(
            StoreFixture store,
            RunJournal journal,
            TurnRepository turns,
            CellRepository cells,
            WorkerRepository workers) {
        this.store = store;
        this.journal = journal;
        this.turns = turns;
        this.cells = cells;
        this.workers = workers;
    }

    private static RecordedTurn turn(int turn) {
        return new RecordedTurn(
                turn,
                CALLS,
                new Measured(new Usage(10, 5, 1, 2, 3, 18), new BigDecimal("0.25"), Duration.ofMillis(120)),
                Duration.ofMillis(900),
                Map.of(),
                ORIGIN,
                List.of("Mind the gap."));
    }

    /** A cell that {@code worker} holds, with a turn of which the first call is done and the second one began. */
    private CellKey begun(String campaign, String worker) {
        CellKey cell = new CellKey(campaign, 3, CellKind.BRANCH, 0);
        Campaigns.worker(workers, worker);
        cells.claim(new RunKey(campaign, 1), worker, CellKind.BRANCH, 0, List.of(3));
        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 1, worker), turn(1))))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordTool(new CellClaim(cell, 1, worker), 1, 0, null)))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordTool(new CellClaim(cell, 1, worker), 1, 0, RESULT)))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordTool(new CellClaim(cell, 1, worker), 1, 1, null)))
                .isEqualTo(WriteResult.GRANTED);
        return cell;
    }

    private void record(CellKey cell, String worker, OutcomeStatus status) {
        Failure failure = status == OutcomeStatus.COMPLETED ? null : new Failure(ErrorCode.CANCELLED, "Cancelled");
        Outcome outcome = new Outcome(
                cell.ordinal(),
                0,
                "s.b.1",
                new Outcome.End(status, failure, 1),
                new Outcome.Answer(List.of(Message.user("Hello"), CALLS, RESULT), 0, ""),
                new Measured(Usage.NONE, null, Duration.ZERO),
                List.of());
        journal.record(new RecordOutcome(cell.campaignId(), 1, worker, 3, 1, outcome, null, List.of()));
    }

    @Test
    void shouldReadBackTurnsAndCallsWhenTheyAreOnRecord() {
        CellKey cell = begun(Campaigns.running(store, "turns"), "w-turns");

        assertThat(turns.find(cell))
                .containsExactly(new RecordedTurn(
                        1,
                        CALLS,
                        new Measured(new Usage(10, 5, 1, 2, 3, 18), new BigDecimal("0.25"), Duration.ofMillis(120)),
                        Duration.ofMillis(900),
                        Map.of(0, new RecordedTurn.Call(RESULT), 1, new RecordedTurn.Call(null)),
                        ORIGIN,
                        List.of("Mind the gap.")));
        assertThat(turns.find(new CellKey(cell.campaignId(), 4, CellKind.BRANCH, 0)))
                .isEmpty();
    }

    @Test
    void shouldRefuseWhenTheWorkerNoLongerHoldsTheCell() {
        String campaign = Campaigns.running(store, "stale");
        CellKey cell = begun(campaign, "w-stale");
        Campaigns.worker(workers, "w-next");
        store.execute("UPDATE cell SET claim_worker = 'w-next' WHERE campaign_id = '" + campaign + "'");

        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 1, "w-stale"), turn(2))))
                .isEqualTo(WriteResult.STALE);
        assertThat(journal.record(new RecordTool(new CellClaim(cell, 1, "w-stale"), 1, 1, RESULT)))
                .isEqualTo(WriteResult.STALE);
        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 2, "w-next"), turn(2))))
                .as("claimed in another epoch")
                .isEqualTo(WriteResult.STALE);
        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 1, "w-next"), turn(1))))
                .as("a turn that another worker recorded")
                .isEqualTo(WriteResult.STALE);
        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 1, "w-next"), turn(2))))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordTurn(new CellClaim(cell, 1, "w-next"), turn(2))))
                .as("written again after a lost reply")
                .isEqualTo(WriteResult.GRANTED);
    }

    @Test
    void shouldForgetTurnsWhenTheOutcomeIsFinalAndKeepThemWhenTheCellIsOpenAgain() {
        CellKey cancelled = begun(Campaigns.running(store, "kept"), "w-kept");
        CellKey completed = begun(Campaigns.running(store, "gone"), "w-gone");

        record(cancelled, "w-kept", OutcomeStatus.CANCELLED);
        record(completed, "w-gone", OutcomeStatus.COMPLETED);

        assertThat(turns.find(cancelled)).hasSize(1);
        assertThat(turns.find(completed)).isEmpty();
    }
}

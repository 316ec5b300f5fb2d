package dev.assay.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.delivery.ItemState;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.EndItem;
import dev.assay.store.journal.JournalEntry.EndItem.AfterItem;
import dev.assay.store.journal.JournalEntry.EndItem.OutItem;
import dev.assay.store.journal.JournalEntry.EndItem.Settled;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

@StoreTest
final class ItemWriterTest {

    private static final String BATCH = "0123456789abcdef0123456789abcdef";
    private static final BigDecimal RESERVED = new BigDecimal("0.10");
    private static final BigDecimal COST = new BigDecimal("0.04");

    private final StoreFixture store;
    private final RunJournal journal;

    ItemWriterTest(StoreFixture store, RunJournal journal) {
        this.store = store;
        this.journal = journal;
    }

    /** Two requests of a campaign, one dollar of whose budget is spent. */
    private void enlist(String campaign, int first) {
        Campaigns.running(store, campaign);
        store.execute("INSERT INTO budget (campaign_id, spent_usd, reserved_usd) VALUES (?, 1, 0.20)", campaign);
        for (int i = 0; i < 2; i++) {
            store.execute("""
                INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch,
                    reserved_usd, state, batch_id)
                VALUES (?, ?, ?, 'branch', 0, 1, 1, 'openai', 'm', 'dead', 1, ?, 'SENT', ?)\
                """, first + i, campaign, i, RESERVED, BATCH);
            store.execute("""
                INSERT INTO provider_batch_item (campaign_id, request_id, batch_id, ordinal, kind, member, attempt, state)
                VALUES (?, ?, ?, ?, 'branch', 0, 1, 'OUT')\
                """, campaign, first + i, BATCH, i);
        }
    }

    /** As the sweep of a build that knows no batches does. */
    private void sweep(String campaign, int request) {
        store.execute("UPDATE ledger SET state = 'UNKNOWN', settled_at = now() WHERE request_id = ?", request);
        store.execute(
                "UPDATE budget SET spent_usd = spent_usd + ?, reserved_usd = reserved_usd - ? WHERE campaign_id = ?",
                RESERVED,
                RESERVED,
                campaign);
    }

    private WriteResult answer(String campaign, int request) {
        CellKey cell = new CellKey(campaign, request % 2, CellKind.BRANCH, 0);
        return journal.end(new EndItem(
                        new OutItem(BATCH, request, cell, 1, 1, RESERVED),
                        new Settled(ItemState.ANSWERED, "ANSWERED", COST, 15L, null, null),
                        AfterItem.OPEN))
                .join();
    }

    private void assertBudget(String campaign, String spent, String reserved) {
        Map<String, Object> budget = store.query(
                        "SELECT spent_usd, reserved_usd FROM budget WHERE campaign_id = ?", campaign)
                .getFirst();
        assertThat((BigDecimal) budget.get("spent_usd")).isEqualByComparingTo(spent);
        assertThat((BigDecimal) budget.get("reserved_usd")).isEqualByComparingTo(reserved);
    }

    @Test
    void shouldCostWhatTheAnswerCostsWhereAnEarlierBuildTookTheRequestForLost() {
        enlist("swept", 10);
        sweep("swept", 10);

        assertThat(answer("swept", 10)).isEqualTo(WriteResult.GRANTED);
        assertThat(answer("swept", 11)).isEqualTo(WriteResult.GRANTED);

        assertThat(store.query("SELECT state, cost_usd FROM ledger WHERE campaign_id = 'swept'"))
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.get("state")).isEqualTo("ANSWERED");
                    assertThat((BigDecimal) row.get("cost_usd")).isEqualByComparingTo(COST);
                });
        assertBudget("swept", "1.08", "0");
    }

    @Test
    void shouldSettleARequestOnce() {
        enlist("once", 20);
        answer("once", 20);

        assertThat(answer("once", 20)).isEqualTo(WriteResult.STALE);

        assertBudget("once", "1.04", "0.10");
    }
}

package dev.assay.store.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.steering.SteeringRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@StoreTest
final class MatrixRepositoryTest {

    /** 2 cases × 2 trials × 2 branches: trial numbers 0 to 3. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("matrix", 2, 2, 2);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final StoreFixture store;
    private final MatrixRepository matrices;
    private final CampaignRepository campaigns;
    private final TrialRepository trials;
    private final SteeringRepository steering;
    private final RunJournal journal;
    private final ProgressRepository progress;
    private final String id = "matrix-" + NUMBER.incrementAndGet();

    MatrixRepositoryTest(
            StoreFixture store,
            MatrixRepository matrices,
            CampaignRepository campaigns,
            TrialRepository trials,
            SteeringRepository steering,
            RunJournal journal,
            ProgressRepository progress) {
        this.store = store;
        this.matrices = matrices;
        this.campaigns = campaigns;
        this.trials = trials;
        this.steering = steering;
        this.journal = journal;
        this.progress = progress;
        campaigns.create(id, SAMPLE.submission());
        store.execute("UPDATE campaign SET state = 'RUNNING' WHERE campaign_id = ?", id);
    }

    private void record(int ordinal, int branch, OutcomeStatus status, @Nullable Boolean passed) {
        Outcome outcome = new Outcome(
                ordinal,
                branch,
                "s." + branch + ".1",
                new Outcome.End(status, null, 1),
                new Outcome.Answer(List.of(), 0, "the answer", Provenance.NONE),
                new Measured(Usage.NONE, null, Duration.ZERO),
                List.of());
        journal.record(new RecordOutcome(id, 1, "w", ordinal % 2, ordinal / 2 + 1, outcome, passed, List.of()));
    }

    private void select(int ordinal, Decision decision, boolean complete) {
        Selection selection = new Selection("llm-judge", decision, "Because");
        assertThat(trials.record(
                        campaign(),
                        campaign().epoch(),
                        "w",
                        List.of(new SelectedTrial(
                                ordinal, ordinal % 2, ordinal / 2 + 1, complete, false, false, selection))))
                .isTrue();
    }

    private StoredCampaign campaign() {
        return campaigns.find(id).orElseThrow();
    }

    /** Loads the matrix, which must agree with the counters, and with one that is made of the results. */
    private byte[] cells() {
        StoredMatrix stored = matrices.load(id);
        assertThat(stored.expected().match(stored.matrix()))
                .as("%s", stored.expected())
                .isTrue();
        return stored.matrix().cells();
    }

    @Test
    void shouldHoldWhatTheJournalAndTheTrialsNoted() {
        record(0, 0, OutcomeStatus.COMPLETED, true);
        record(0, 1, OutcomeStatus.COMPLETED, false);
        record(3, 1, OutcomeStatus.BUDGET_SKIPPED, null);
        select(0, new Decision.Won(0), true);
        select(3, new Decision.FellBack(1), false);

        byte[] noted = cells();

        assertThat(noted).containsExactly(2 | 8 | 128, 3 | 128, 0, 0, 0, 0, 0, 5 | 8 | 16);
        matrices.rebuild(id);
        assertThat(cells()).as("made of the results").isEqualTo(noted);
    }

    @Test
    void shouldReplaceWhatIsNotFinalAndDiscardWhatComesLate() {
        record(1, 0, OutcomeStatus.CANCELLED, null);
        assertThat(cells()[2]).isEqualTo((byte) 7);
        record(1, 0, OutcomeStatus.COMPLETED, false);
        record(1, 0, OutcomeStatus.COMPLETED, true);
        assertThat(cells()[2]).as("the first final outcome stands").isEqualTo((byte) 3);
    }

    @Test
    void shouldOpenAgainWhatARerunReplacesAndGrowWithTheTrials() {
        for (int ordinal = 0; ordinal < 4; ordinal++) {
            record(ordinal, 0, OutcomeStatus.COMPLETED, true);
            record(ordinal, 1, OutcomeStatus.COMPLETED, ordinal != 2);
            select(ordinal, new Decision.Won(0), true);
        }
        MatrixSeen before = matrices.load(id).seen();
        SampleCampaign.rerun(store, id, new Rerun(Rerun.Only.FAILED, List.of(), List.of()));

        byte[] open = cells();
        assertThat(open[4]).isEqualTo((byte) 2);
        assertThat(open[5]).isZero();
        assertThat(matrices.since(id, before).entries()).hasSize(1);
        steering.setLimits(id, new LimitChange(null, null, 3, null), false);
        assertThat(cells()).hasSize(12).startsWith(open);
        record(5, 1, OutcomeStatus.COMPLETED, true);
        assertThat(cells()[11]).isEqualTo((byte) 2);
        byte[] noted = cells();
        matrices.rebuild(id);
        assertThat(cells()).isEqualTo(noted);
    }

    @Test
    void shouldKeepEveryCellWhenChangesBecomeChunks() {
        record(0, 0, OutcomeStatus.COMPLETED, true);
        matrices.compact(id);
        record(3, 1, OutcomeStatus.COMPLETED, false);
        MatrixSeen before = matrices.load(id).seen();
        matrices.compact(id);

        assertThat(cells()).containsExactly(2, 0, 0, 0, 0, 0, 0, 3);
        assertThat(store.count("SELECT count(*) FROM matrix_change WHERE campaign_id = ?", id))
                .isZero();
        assertThat(matrices.since(id, before).seen().generation())
                .as("who holds the matrix loads it again")
                .isNotEqualTo(before.generation());
    }

    @Test
    void shouldSeeEachChangeOnceWhenTransactionsEndInAnotherOrder() throws Exception {
        try (Connection slow = store.connect()) {
            slow.setAutoCommit(false);
            try (var insert = slow.prepareStatement(
                    "INSERT INTO matrix_change (campaign_id, entries) VALUES (?, '\\x0000000100000002')")) {
                insert.setString(1, id);
                insert.execute();
            }
            record(0, 0, OutcomeStatus.COMPLETED, true);
            MatrixSeen first = matrices.load(id).seen();

            MatrixUpdate second = matrices.since(id, first);
            assertThat(second.entries()).as("it was read already").isEmpty();
            slow.commit();

            MatrixUpdate third = matrices.since(id, second.seen());
            assertThat(third.entries()).as("the one that was written first").hasSize(1);
            assertThat(matrices.since(id, third.seen()).entries()).isEmpty();
        }
    }

    @Test
    void shouldMakeTheMatrixOfResultsWhenAnEarlierBuildRecordedThem() {
        SAMPLE.recordOutcome(store, id, 0, 0, "COMPLETED", true);
        SAMPLE.recordOutcome(store, id, 0, 1, "TIMED_OUT", false);
        SAMPLE.recordSelection(store, id, 0, 1);
        progress.recount(id);
        StoredMatrix unknown = matrices.load(id);
        assertThat(unknown.expected().match(unknown.matrix()))
                .as("nothing was noted")
                .isFalse();

        matrices.rebuild(id);

        assertThat(cells()).startsWith(2 | 128, 4 | 8 | 128);
    }

    @Test
    void shouldRefuseAMatrixThatIsTooLarge() {
        store.execute("UPDATE campaign SET case_count = 20000000 WHERE campaign_id = ?", id);

        assertThatThrownBy(() -> matrices.load(id))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("80000000 cells")
                .hasMessageContaining("/api/v1/campaigns/" + id + "/outcomes");
    }
}

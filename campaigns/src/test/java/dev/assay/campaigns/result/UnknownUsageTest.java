package dev.assay.campaigns.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.campaigns.plan.EarlierRuns;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.estimate.RecordedUse;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.ProgressRepository;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens that were not reported: in rows, counters and summaries (docs/decisions/0049-unknown-usage.md). */
@StoreTest
final class UnknownUsageTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final SampleCampaign SAMPLE = new SampleCampaign("unknown usage", 4, 2, 1);
    private static final Usage HALF = new Usage(7L, null, null, 2L, null, null);

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final RunJournal journal;
    private final OutcomeQueries outcomes;
    private final ProgressRepository progress;
    private final Summaries summaries;
    private final String id = "unknown-usage-" + NUMBER.incrementAndGet();

    UnknownUsageTest(
            StoreFixture store,
            CampaignRepository campaigns,
            RunJournal journal,
            OutcomeQueries outcomes,
            ProgressRepository progress,
            Summaries summaries) {
        this.store = store;
        this.campaigns = campaigns;
        this.journal = journal;
        this.outcomes = outcomes;
        this.progress = progress;
        this.summaries = summaries;
    }

    @BeforeEach
    void submit() {
        campaigns.create(id, SAMPLE.submission());
    }

    private void record(int ordinal, int branch, OutcomeStatus status, Usage usage, @Nullable String costUsd) {
        boolean answered = status == OutcomeStatus.COMPLETED;
        Outcome outcome = new Outcome(
                ordinal,
                branch,
                "s." + branch + "." + ordinal,
                new Outcome.End(status, answered ? null : new Failure(ErrorCode.PROVIDER_REJECTED, "No"), 1),
                new Outcome.Answer(List.of(Message.user("What?"), Message.assistant("a")), 0, "a"),
                new Measured(usage, costUsd == null ? null : new BigDecimal(costUsd), Duration.ofMillis(5)),
                List.of());
        journal.record(new RecordOutcome(id, 1, "w", ordinal, 1, outcome, answered ? true : null, List.of()));
    }

    /** Branch 0: known, half known, unknown, an error without an answer. Branch 1: nothing is known. */
    private void recordAll() {
        record(0, 0, OutcomeStatus.COMPLETED, new Usage(10L, 5L, 1L, null, null, 15L), "0.5");
        record(1, 0, OutcomeStatus.COMPLETED, HALF, null);
        record(2, 0, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);
        record(3, 0, OutcomeStatus.MODEL_ERROR, Usage.NONE, null);
        record(0, 1, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);
        record(1, 1, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);
        record(2, 1, OutcomeStatus.MODEL_ERROR, Usage.NONE, null);
    }

    private Usage usage(int ordinal, int branch) {
        return outcomes.find(id, "case-" + ordinal, "branch-" + branch, 1)
                .orElseThrow()
                .row()
                .outcome()
                .usage();
    }

    private List<UsageTotal> counted() {
        return progress.find(id).orElseThrow().branches().stream()
                .map(BranchCounters::tokens)
                .toList();
    }

    private CampaignSummary summary() {
        return summaries.summarize(campaigns.find(id).orElseThrow());
    }

    @Test
    void shouldReadBackWhatWasNotReportedAsUnknown() {
        recordAll();

        assertThat(usage(1, 0)).isEqualTo(HALF);
        assertThat(usage(2, 0)).isEqualTo(Usage.UNKNOWN);
        assertThat(usage(3, 0)).as("nothing was answered").isEqualTo(Usage.NONE);
        assertThat(store.value(
                        "SELECT total_tokens FROM results WHERE campaign_id = ? AND trial = 1"
                                + " AND case_id = 'case-1' AND branch_id = 'branch-0'",
                        id))
                .isNull();
    }

    @Test
    void shouldCountTheSameWhileWorkersCountAndWhenRecountedAndInTheSummary() {
        recordAll();
        UsageTotal first = new UsageTotal(new Usage(17L, 5L, 1L, 2L, null, 15L), 2);
        UsageTotal second = new UsageTotal(Usage.UNKNOWN, 2);

        assertThat(counted()).containsExactly(first, second);
        progress.recount(id);
        assertThat(counted()).containsExactly(first, second);
        assertThat(progress.find(id).orElseThrow().tokens()).isEqualTo(new UsageTotal(first.usage(), 4));
        assertThat(summary().branches())
                .extracting(branch -> branch.spend())
                .usingComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new Spend(first, new BigDecimal("0.5"), 2), new Spend(second, null, 2));
    }

    @Test
    void shouldAddUpTheShardsOfWorkersOfWhichOneKnowsNothing() {
        record(0, 0, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);
        store.execute("UPDATE progress SET shard = 'v' WHERE campaign_id = ?", id);
        record(1, 0, OutcomeStatus.COMPLETED, Usage.of(10, 5), null);
        record(2, 0, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);

        assertThat(counted().getFirst()).isEqualTo(new UsageTotal(Usage.of(10, 5), 2));
    }

    @Test
    void shouldPlanByTheAnswersThatReportedTheirUsage() {
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            record(ordinal, 0, OutcomeStatus.COMPLETED, ordinal == 0 ? Usage.UNKNOWN : Usage.of(10, 5), null);
            record(ordinal, 1, OutcomeStatus.COMPLETED, Usage.UNKNOWN, null);
        }

        Map<String, RecordedUse> found =
                store.get(EarlierRuns.class).find(SAMPLE.submission(), id).branches();

        assertThat(found.keySet()).containsExactly("branch-0");
        assertThat(found.get("branch-0")).satisfies(use -> {
            assertThat(use.calls()).isEqualTo(2);
            assertThat(use.usage()).isEqualTo(Usage.of(20, 10));
        });
    }

    @Test
    void shouldReadZerosOfAnswersAsUnknownWhenAnEarlierBuildWroteThem() {
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            SAMPLE.recordOutcome(store, id, ordinal, 0, "COMPLETED", true);
            SAMPLE.recordJudgeCall(store, id, ordinal);
        }
        SAMPLE.recordOutcome(store, id, 3, 0, "TIMED_OUT", null);
        String zeros =
                " SET input_tokens = 0, output_tokens = 0, total_tokens = 0, cost_usd = NULL WHERE campaign_id = ?";
        store.execute("UPDATE outcome" + zeros + " AND ordinal > 0", id);
        store.execute("UPDATE judge_call" + zeros + " AND ordinal > 0", id);
        progress.recount(id);

        assertThat(usage(1, 0)).isEqualTo(Usage.UNKNOWN);
        assertThat(usage(3, 0)).isEqualTo(Usage.NONE);
        assertThat(counted().getFirst()).isEqualTo(new UsageTotal(Usage.of(10, 5), 2));
        assertThat(progress.find(id).orElseThrow().judgeTokens()).isEqualTo(new UsageTotal(Usage.of(20, 1), 2));
        assertThat(summary().branches().getFirst().spend().tokens()).isEqualTo(new UsageTotal(Usage.of(10, 5), 2));
        assertThat(summary().judge().spend().tokens()).isEqualTo(new UsageTotal(Usage.of(20, 1), 2));
    }

    @Test
    void shouldNotShowZeroTokensWhenAnEarlierBuildCountedAnswersThatReportedNone() {
        store.execute("""
            INSERT INTO progress (campaign_id, kind, member, shard, cells_done, cells_failed)
            VALUES (?, 'branch', 0, 'w1', 5, 2), (?, 'branch', 1, 'w1', 2, 2)\
            """, id, id);

        assertThat(counted())
                .as("three answers; no answer at all")
                .containsExactly(new UsageTotal(Usage.UNKNOWN, 3), UsageTotal.NONE);
    }
}

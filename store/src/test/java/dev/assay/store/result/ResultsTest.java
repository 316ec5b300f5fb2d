package dev.assay.store.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.usage.Usage;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@StoreTest
final class ResultsTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final SampleCampaign SAMPLE = new SampleCampaign("results", 3, 2, 4);

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final OutcomeQueries outcomes;
    private final OutcomeStreams streams;
    private final ProgressRepository progress;
    private final ComparisonRepository comparisons;
    private final String id = "results-" + NUMBER.incrementAndGet();

    ResultsTest(
            StoreFixture store,
            CampaignRepository campaigns,
            OutcomeQueries outcomes,
            OutcomeStreams streams,
            ProgressRepository progress,
            ComparisonRepository comparisons) {
        this.store = store;
        this.campaigns = campaigns;
        this.outcomes = outcomes;
        this.streams = streams;
        this.progress = progress;
        this.comparisons = comparisons;
    }

    /** Twelve trials of two branches; branch 1 never completes; three trials are selected. */
    @BeforeEach
    void recordResults() {
        campaigns.create(id, SAMPLE.submission());
        for (int ordinal = 0; ordinal < 12; ordinal++) {
            SAMPLE.recordOutcome(store, id, ordinal, 0, "COMPLETED", ordinal % 3 != 0);
            SAMPLE.recordOutcome(
                    store, id, ordinal, 1, ordinal == 11 ? "CANCELLED" : "TIMED_OUT", ordinal == 11 ? null : false);
        }
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            SAMPLE.recordSelection(store, id, ordinal, 0);
            SAMPLE.recordJudgeCall(store, id, ordinal);
        }
    }

    @Test
    void shouldCountEachCaseOfABranchByWhatIsKnownOfIt() {
        store.execute("DELETE FROM outcome WHERE campaign_id = ? AND ordinal = 3 AND branch_index = 0", id);

        assertThat(cases(0))
                .extracting(one -> one.caseId() + ": " + one.counts().passed() + " of "
                        + one.counts().known())
                .containsExactlyInAnyOrder("case-0: 0 of 3", "case-1: 4 of 4", "case-2: 4 of 4");
        assertThat(cases(1))
                .filteredOn(one -> one.caseId().equals("case-2"))
                .extracting(one -> one.counts().unknown())
                .containsExactly(1);
        assertThat(content(1, "case-0")).isEqualTo(content(0, "case-0"));
    }

    @Test
    void shouldCountErrorsOfABranchAsItsCampaignSays() {
        store.execute("""
            UPDATE outcome SET status = 'MODEL_ERROR', error_code = 'PROVIDER_RATE_LIMITED'
            WHERE campaign_id = ? AND branch_index = 1 AND ordinal IN (0, 1)\
            """, id);

        assertThat(unknownOfBranch1()).containsExactlyInAnyOrder(1, 1, 1);
        store.execute(
                "UPDATE campaign SET definition = jsonb_set(definition, '{gate,errors}', '\"fail\"') WHERE campaign_id"
                        + " = ?",
                id);
        assertThat(unknownOfBranch1()).as("errors are failures").containsExactlyInAnyOrder(0, 0, 1);
        store.execute(
                "UPDATE campaign SET definition = jsonb_set(definition, '{gate,errors}', '\"unknown\"')"
                        + " WHERE campaign_id = ?",
                id);
        assertThat(unknownOfBranch1()).as("no error is evidence").containsOnly(4);
    }

    private List<ComparedCase> cases(int branch) {
        return comparisons.cases(campaigns.required(id), branch, Pairing.CONTENT, false);
    }

    private List<Integer> unknownOfBranch1() {
        return cases(1).stream().map(one -> one.counts().unknown()).toList();
    }

    /** As the report counts it: the first draw is the point, and the last one widens the bounds. */
    @Test
    void shouldCountTheFirstDrawOfACaseWhenItsCellWasAskedAgain() {
        store.execute("UPDATE campaign SET reruns = 1 WHERE campaign_id = ?", id);
        store.execute("""
            INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
            VALUES (?, 1, 'outcome', 1, 0, '{"status": "COMPLETED", "passed": false, "score": 0.25}')\
            """, id);

        ComparedCase again = cases(0).stream()
                .filter(one -> one.caseId().equals("case-1"))
                .findFirst()
                .orElseThrow();

        assertThat(again.counts()).isEqualTo(new CaseCounts(3, 0, 4));
        assertThat(again.evidence().bounds(again.errors())).isEqualTo(new CaseCounts(3, 1, 4));
    }

    private String content(int branch, String caseId) {
        return cases(branch).stream()
                .filter(one -> one.caseId().equals(caseId))
                .findFirst()
                .orElseThrow()
                .contentHash();
    }

    /** A program that starts in another directory is asked something else. */
    @Test
    void shouldBeAnotherCaseWhenOnlyItsDirectoryDiffers() {
        String before = content(0, "case-0");

        store.execute(
                "UPDATE suite_case SET workspace_subdir = 'below' WHERE suite_id = ? AND case_index = 0",
                campaigns.find(id).orElseThrow().suiteId());

        assertThat(content(0, "case-0")).isNotEqualTo(before);
    }

    @Test
    void shouldShowEveryOutcomeOnceWhenPagesAreFollowed() {
        List<OutcomeRow> rows = all(OutcomeFilter.ALL, 5);

        assertThat(rows).hasSize(24).doesNotHaveDuplicates();
        assertThat(rows).allMatch(row -> row.outcome().answer().newMessages().isEmpty());
        assertThat(rows.getFirst())
                .usingRecursiveComparison()
                .ignoringFields("outcome.answer.newMessages")
                .isEqualTo(
                        outcomes.find(id, "case-0", "branch-0", 1).orElseThrow().row());
        assertThat(rows.stream()
                        .map(row -> row.outcome().ordinal() * 2 + row.outcome().branchIndex())
                        .toList())
                .isSorted();
    }

    @Test
    void shouldGiveNoTokenWhenPageHoldsEverything() {
        Page<OutcomeRow> only = outcomes.page(id, OutcomeFilter.ALL, PageRequest.of(null, 24));

        assertThat(only.items()).hasSize(24);
        assertThat(only.nextPageToken()).isNull();
    }

    @Test
    void shouldShowOnlyMatchingOutcomesWhenFiltered() {
        assertThat(all(new OutcomeFilter("case-1", null, null, null, null), 3))
                .hasSize(8)
                .allMatch(row -> row.caseId().equals("case-1"));
        assertThat(all(new OutcomeFilter(null, "branch-1", null, null, null), 3))
                .hasSize(12)
                .allMatch(row -> row.branchId().equals("branch-1"));
        assertThat(all(new OutcomeFilter(null, null, 2, null, null), 3))
                .hasSize(6)
                .allMatch(row -> row.trial() == 2);
        assertThat(all(new OutcomeFilter(null, null, null, OutcomeStatus.CANCELLED, null), 3))
                .hasSize(1);
        assertThat(all(new OutcomeFilter(null, null, null, null, true), 3)).hasSize(8);
        assertThat(all(new OutcomeFilter("case-2", "branch-0", 3, OutcomeStatus.COMPLETED, true), 3))
                .hasSize(1);
    }

    @Test
    void shouldFindNothingForATrialThatTheCampaignDoesNotHave() {
        for (int trial : List.of(-1, 0, 5, Integer.MAX_VALUE)) {
            assertThat(outcomes.page(id, new OutcomeFilter(null, null, trial, null, null), PageRequest.of(null, 3))
                            .items())
                    .isEmpty();
            assertThat(outcomes.find(id, "case-1", "branch-0", trial)).isEmpty();
            assertThat(store.get(SelectionQueries.class)
                            .page(id, null, trial, PageRequest.of(null, 5))
                            .items())
                    .isEmpty();
        }
    }

    @Test
    void shouldNameTheFilterWhenItNamesNothingOfTheCampaign() {
        assertThatThrownBy(() ->
                        outcomes.page(id, new OutcomeFilter("nope", null, null, null, null), PageRequest.of(null, 5)))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting("path").containsExactly("caseId"));
        assertThatThrownBy(() ->
                        outcomes.page(id, new OutcomeFilter(null, "nope", null, null, null), PageRequest.of(null, 5)))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting("path").containsExactly("branchId"));
    }

    @Test
    void shouldShowTranscriptSelectionAndJudgeWhenOneOutcomeIsAskedFor() {
        OutcomeDetail detail = outcomes.find(id, "case-1", "branch-0", 1).orElseThrow();

        Outcome outcome = detail.row().outcome();
        assertThat(outcome.ordinal()).isEqualTo(1);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.COMPLETED);
        assertThat(detail.row().selected()).isTrue();
        assertThat(outcome.usage()).isEqualTo(Usage.of(10, 5));
        assertThat(outcome.costUsd()).isEqualByComparingTo("0.000125");
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.checks()).singleElement().extracting("type").isEqualTo("icontains");
        assertThat(detail.context()).isEmpty();
        assertThat(outcome.answer().newMessages())
                .containsExactly(Message.user("What?"), Message.assistant("the answer"));
        assertThat(detail.selection())
                .isNotNull()
                .extracting(TrialSelection::selection)
                .isEqualTo(
                        new Selection("llm-judge", new Decision.Won(0), "The judge said so", SampleCampaign.votes(0)));
        assertThat(detail.judgeCalls()).singleElement().satisfies(call -> {
            assertThat(call.asked().prompt()).isEqualTo("Which is best?");
            assertThat(call.asked().systemPrompt()).isEqualTo("Judge.");
            assertThat(call.answer().shown()).containsExactly(0, 1);
            assertThat(call.answer().reply()).isEqualTo("1");
            assertThat(call.asked().compaction().satisfied()).isTrue();
        });
    }

    @Test
    void shouldSayErrorAndNoSelectionWhenOutcomeTimedOutAndTrialIsOpen() {
        OutcomeDetail detail = outcomes.find(id, "case-0", "branch-1", 4).orElseThrow();

        assertThat(detail.row().outcome().failure())
                .isEqualTo(new Failure(ErrorCode.PROVIDER_TIMEOUT, "The provider did not answer"));
        assertThat(detail.row().outcome().costUsd()).isNull();
        assertThat(detail.row().passed()).isFalse();
        assertThat(detail.row().selected()).isNull();
        assertThat(detail.selection()).isNull();
        assertThat(detail.judgeCalls()).isEmpty();
        assertThat(outcomes.find(id, "case-0", "branch-1", 5)).isEmpty();
    }

    @Test
    void shouldCountFromTheRowsWhenRecounted() {
        store.execute(
                "INSERT INTO progress (campaign_id, kind, member, shard, cells_done) VALUES (?, 'branch', 0, 'w1', 99)",
                id);

        progress.recount(id);
        progress.recount(id);

        CampaignCounters counters = progress.find(id).orElseThrow();
        assertThat(counters.cellsTotal()).isEqualTo(24);
        assertThat(counters.cellsDone()).isEqualTo(23);
        assertThat(counters.cellsPassed()).isEqualTo(8);
        assertThat(counters.cellsFailed()).isEqualTo(11);
        assertThat(counters.trialsTotal()).isEqualTo(12);
        assertThat(counters.trialsDone()).isEqualTo(3);
        assertThat(store.count("SELECT cells_done FROM progress WHERE campaign_id = ? AND kind = 'trial'", id))
                .as("judge calls")
                .isEqualTo(3);
        assertThat(counters.trialsFailed()).isEqualTo(3);
        assertThat(counters.judgeTokens().usage()).isEqualTo(new Usage(60, 3, 0, 0, 0, 63));
        assertThat(counters.tokens().usage()).isEqualTo(new Usage(300, 123, 0, 0, 0, 423));
        assertThat(counters.costUsd()).isEqualByComparingTo(new BigDecimal("0.0045"));
        assertThat(counters.branches()).extracting(BranchCounters::wins).containsExactly(3L, 0L);
        assertThat(counters.branches().get(1).costUsd()).isNull();
    }

    @Test
    void shouldAddUpShardsWhenSeveralWorkersCount() {
        String sql = """
            INSERT INTO progress (campaign_id, kind, member, shard, cells_done, cells_passed, total_tokens, cost_usd)
            VALUES (?, 'branch', 1, ?, 2, 1, 7, 0.5)\
            """;
        store.execute(sql, id, "w1");
        store.execute(sql, id, "w2");

        BranchCounters branch = progress.find(id).orElseThrow().branches().get(1);
        assertThat(branch.done()).isEqualTo(4);
        assertThat(branch.passed()).isEqualTo(2);
        assertThat(branch.tokens().usage().total()).isEqualTo(14);
        assertThat(branch.costUsd()).isEqualByComparingTo("1.0");
        assertThat(progress.find("nobody")).isEmpty();
    }

    @Test
    void shouldCountOutcomeOnceWhenItIsRecordedDuringRecount() throws Exception {
        SampleCampaign one = new SampleCampaign("race", 1, 1, 200);
        String race = id + "-race";
        campaigns.create(race, one.submission());
        Thread writer = Thread.ofVirtual().start(() -> {
            for (int ordinal = 0; ordinal < 200; ordinal++) {
                recordAndCount(one, race, ordinal);
            }
        });
        while (writer.isAlive()) {
            progress.recount(race);
        }
        assertThat(writer.join(Duration.ofSeconds(20))).isTrue();

        assertThat(progress.find(race).orElseThrow().cellsDone()).isEqualTo(200);
    }

    @Test
    void shouldGoOnWhenAnOutcomeIsRecordedBeforeTheLastOneMeanwhile() {
        SampleCampaign one = new SampleCampaign("meanwhile", 3, 1, 1);
        campaigns.create("meanwhile", one.submission());
        one.recordOutcome(store, "meanwhile", 1, 0, "COMPLETED", true);
        one.recordOutcome(store, "meanwhile", 2, 0, "COMPLETED", true);

        Page<OutcomeRow> page = outcomes.page(
                "meanwhile",
                OutcomeFilter.ALL,
                new PageRequest(null, 5, bytes -> one.recordOutcome(store, "meanwhile", 0, 0, "COMPLETED", true)));
        Page<OutcomeRow> next = outcomes.page("meanwhile", OutcomeFilter.ALL, PageRequest.of(page.nextPageToken(), 5));

        assertThat(page.items()).extracting(row -> row.outcome().ordinal()).containsExactly(0, 1);
        assertThat(next.items()).extracting(row -> row.outcome().ordinal()).containsExactly(2);
        assertThat(next.nextPageToken()).isNull();
    }

    @Test
    void shouldStreamCompletedAnswersAndJudgementsWhenRecording() {
        List<RecordedAnswer> answers = new ArrayList<>();
        streams.recordedAnswers(id, answers::add);

        assertThat(answers).hasSize(15);
        assertThat(answers.getFirst())
                .isInstanceOfSatisfying(
                        RecordedAnswer.OfBranch.class,
                        answer -> assertThat(answer.outcome().answer().newMessages())
                                .hasSize(2));
        assertThat(answers.getLast()).isInstanceOfSatisfying(RecordedAnswer.OfJudge.class, answer -> {
            assertThat(answer.call().ordinal()).isEqualTo(2);
            assertThat(answer.call().answer().reply()).isEqualTo("1");
        });
    }

    @Test
    void shouldReadSpendFromLedgerWhenRequestsWereMade() {
        assertThat(outcomes.spend(id)).isEqualTo(LedgerTotals.NONE);
        ledger(1, "ANSWERED", "0.02", "0.01");
        ledger(2, "SENT", "0.03", null);
        ledger(3, "UNKNOWN", "0.04", null);

        LedgerTotals spend = outcomes.spend(id);
        assertThat(spend.settledUsd()).isEqualByComparingTo("0.01");
        assertThat(spend.reservedUsd()).isEqualByComparingTo("0.03");
        assertThat(spend.unknownUsd()).isEqualByComparingTo("0.04");
        assertThat(spend.requests()).isEqualTo(3);
        assertThat(spend.unknownRequests()).isEqualTo(1);
    }

    private void recordAndCount(SampleCampaign sample, String campaignId, int ordinal) {
        try (var connection = store.connect();
                var count = connection.prepareStatement("""
                    INSERT INTO progress (campaign_id, kind, member, shard, cells_done) VALUES (?, 'branch', 0, ?, 1)
                    ON CONFLICT (campaign_id, kind, member, shard)
                    DO UPDATE SET cells_done = progress.cells_done + 1\
                    """);
                var record = connection.prepareStatement("""
                    INSERT INTO outcome SELECT ?, ?, 0, 0, ?, 1, 'l', 'COMPLETED', true, '', '[]', 0, 0, 0, 0, 0, 0, 0,
                        NULL, 0, 1, NULL, NULL, '[]', now()\
                    """)) {
            connection.setAutoCommit(false);
            record.setString(1, campaignId);
            record.setInt(2, ordinal);
            record.setInt(3, ordinal + 1);
            record.execute();
            count.setString(1, campaignId);
            count.setString(2, "w" + ordinal % 3);
            count.execute();
            connection.commit();
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(sample.name(), e);
        }
    }

    private void ledger(int number, String state, String reserved, @org.jspecify.annotations.Nullable String cost) {
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id,
                epoch, reserved_usd, state, settled_at, cost_usd)
            VALUES (nextval('ledger_block'), ?, ?, 'branch', 0, 1, 1, 'openai', 'm', 'w', 1, ?::numeric, ?,
                CASE WHEN ? THEN now() END, ?::numeric)\
            """, id, number, reserved, state, !state.equals("SENT"), cost);
    }

    private List<OutcomeRow> all(OutcomeFilter filter, int pageSize) {
        List<OutcomeRow> rows = new ArrayList<>();
        String token = null;
        do {
            Page<OutcomeRow> page = outcomes.page(id, filter, PageRequest.of(token, pageSize));
            assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(pageSize);
            rows.addAll(page.items());
            token = page.nextPageToken();
        } while (token != null);
        return rows;
    }
}

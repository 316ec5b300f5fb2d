package dev.assay.campaigns.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.Campaigns;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import dev.assay.store.worker.WorkerRepository;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@StoreTest
final class CampaignChangesTest {

    /** 2 cases × 2 trials × 2 branches: trial numbers 0 to 3. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 2, 2, 2);

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Rerun EVERYTHING = new Rerun(Rerun.Only.ALL, List.of(), List.of());

    private final StoreFixture store;
    private final CampaignChanges steering;
    private final CampaignRepository campaigns;
    private final TrialRepository trials;
    private final ProgressRepository progress;
    private final CellRepository cells;
    private final RunJournal journal;
    private final WorkerRepository workers;
    private final DrawQueries draws;

    CampaignChangesTest(
            StoreFixture store,
            CampaignChanges steering,
            CampaignRepository campaigns,
            TrialRepository trials,
            ProgressRepository progress,
            CellRepository cells,
            RunJournal journal,
            WorkerRepository workers,
            DrawQueries draws) {
        this.store = store;
        this.steering = steering;
        this.campaigns = campaigns;
        this.trials = trials;
        this.progress = progress;
        this.cells = cells;
        this.journal = journal;
        this.workers = workers;
        this.draws = draws;
    }

    private String campaign(CampaignState state) {
        String id = "steered-" + NUMBER.incrementAndGet();
        campaigns.create(id, SAMPLE.submission());
        store.execute("UPDATE campaign SET state = ? WHERE campaign_id = ?", state.name(), id);
        return id;
    }

    /** Every trial is done; branch 0 passed everywhere, branch 1 ended as {@code statuses} say. */
    private String finished(CampaignState state, String... statuses) {
        String id = campaign(state);
        for (int ordinal = 0; ordinal < statuses.length; ordinal++) {
            SAMPLE.recordOutcome(store, id, ordinal, 0, "COMPLETED", true);
            boolean completed = statuses[ordinal].equals("PASSED") || statuses[ordinal].equals("FAILED");
            SAMPLE.recordOutcome(
                    store,
                    id,
                    ordinal,
                    1,
                    completed ? "COMPLETED" : statuses[ordinal],
                    statuses[ordinal].equals("BUDGET_SKIPPED") ? null : statuses[ordinal].equals("PASSED"));
            SAMPLE.recordSelection(store, id, ordinal, 0);
            SAMPLE.recordJudgeCall(store, id, ordinal);
            boolean isFinal = !statuses[ordinal].equals("BUDGET_SKIPPED");
            store.execute("UPDATE trial SET complete = ? WHERE campaign_id = ? AND ordinal = ?", isFinal, id, ordinal);
            store.execute("""
                INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, closed_epoch, is_final)
                VALUES (?, ?, 'branch', 0, 1, 1, true), (?, ?, 'branch', 1, 3, 1, ?), (?, ?, 'judge', 0, 1, 1, true)\
                """, id, ordinal, id, ordinal, isFinal, id, ordinal);
        }
        progress.recount(id);
        return id;
    }

    private StoredCampaign get(String id) {
        return campaigns.find(id).orElseThrow();
    }

    private static LimitChange trials(int trials) {
        return new LimitChange(null, null, trials, null);
    }

    private static LimitChange budget(String usd) {
        return new LimitChange(null, new BigDecimal(usd), null, null);
    }

    @ParameterizedTest
    @CsvSource({
        "PAUSE,  PENDING,   PAUSED,    1", "PAUSE,  RUNNING,   PAUSED,    1", "PAUSE,  PAUSED,    PAUSED,    1",
        "PAUSE,  COMPLETED, REFUSED,   1", "PAUSE,  CANCELLED, REFUSED,   1", "PAUSE,  FAILED,    REFUSED,   1",
        "RESUME, PENDING,   PENDING,   1", "RESUME, RUNNING,   RUNNING,   1", "RESUME, PAUSED,    RUNNING,   2",
        "RESUME, COMPLETED, COMPLETED, 1", "RESUME, CANCELLED, RUNNING,   2", "RESUME, FAILED,    RUNNING,   2",
        "CANCEL, PENDING,   CANCELLED, 2", "CANCEL, RUNNING,   CANCELLED, 2", "CANCEL, PAUSED,    CANCELLED, 2",
        "CANCEL, COMPLETED, REFUSED,   1", "CANCEL, CANCELLED, CANCELLED, 1", "CANCEL, FAILED,    REFUSED,   1",
    })
    void shouldMoveFromEachStateAsTheTableSays(SteeringVerb verb, CampaignState from, String to, int epoch) {
        String id = campaign(from);

        if (to.equals("REFUSED")) {
            assertThatThrownBy(() -> steering.steer(id, verb))
                    .isInstanceOfSatisfying(
                            AssayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
                    .hasMessage("Campaign " + id + " is " + from + " and cannot be " + verb.participle());
        } else {
            assertThat(steering.steer(id, verb).state()).isEqualTo(CampaignState.valueOf(to));
            assertThat(steering.steer(id, verb)).as("again").isEqualTo(get(id));
        }
        assertThat(get(id).epoch()).isEqualTo(epoch);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING, 1", "RUNNING, RUNNING, 1", "PAUSED, PAUSED, 1",
        "COMPLETED, RUNNING, 2", "CANCELLED, RUNNING, 2", "FAILED, RUNNING, 2"
    })
    void shouldExtendInEachStateAndLetWhatEndedGoOn(CampaignState from, CampaignState to, int epoch) {
        String id = finished(from, "PASSED", "PASSED", "PASSED", "PASSED");

        StoredCampaign extended = steering.change(id, trials(3));

        assertThat(extended.state()).isEqualTo(to);
        assertThat(extended.trials()).isEqualTo(3);
        assertThat(extended.epoch()).isEqualTo(epoch);
        assertThat(extended.times().finished()).isNull();
        assertThat(steering.change(id, trials(3))).as("again").isEqualTo(extended);
        assertThat(trials.open(new RunKey(id, epoch), 0, extended.grid().size(), 10))
                .singleElement()
                .satisfies(range -> assertThat(range.from()).isEqualTo(4));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING",
        "RUNNING, RUNNING",
        "PAUSED, PAUSED",
        "COMPLETED, COMPLETED",
        "CANCELLED, CANCELLED",
        "FAILED, FAILED"
    })
    void shouldOnlyChangeTheLimitWhenMoreOrFewerCallsAreAllowed(CampaignState from, CampaignState to) {
        String id = campaign(from);

        StoredCampaign changed = steering.change(id, new LimitChange(7, null, null, null));

        assertThat(changed.maxConcurrent()).isEqualTo(7);
        assertThat(changed.state()).isEqualTo(to);
        assertThat(changed.epoch()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING, 1, true", "RUNNING, RUNNING, 1, true", "PAUSED, PAUSED, 1, false",
        "COMPLETED, RUNNING, 2, false", "CANCELLED, CANCELLED, 1, false", "FAILED, FAILED, 1, false"
    })
    void shouldReopenWhatWasSkippedWhenTheBudgetIsRaised(
            CampaignState from, CampaignState to, int epoch, boolean reopensLater) {
        String id = finished(from, "PASSED", "BUDGET_SKIPPED");
        store.execute("UPDATE campaign SET budget_usd = 1 WHERE campaign_id = ?", id);

        StoredCampaign raised = steering.change(id, budget("2"));

        assertThat(raised.budgetUsd()).isEqualByComparingTo("2");
        assertThat(raised.state()).isEqualTo(to);
        assertThat(raised.epoch()).isEqualTo(epoch);
        assertThat(raised.standing().reopensSkipped()).isEqualTo(reopensLater);
        assertThat(steering.change(id, budget("2"))).as("again").isEqualTo(raised);
    }

    @Test
    void shouldOpenWhatWasSkippedInANewEpochWhenNothingElseIsOpen() {
        String id = finished(CampaignState.RUNNING, "PASSED", "BUDGET_SKIPPED");
        store.execute("UPDATE campaign SET reopens_skipped = true WHERE campaign_id = ?", id);

        campaigns.reopenSkipped(new RunKey(id, 1));
        campaigns.reopenSkipped(new RunKey(id, 1));

        assertThat(get(id).epoch()).isEqualTo(2);
        assertThat(get(id).standing().reopensSkipped()).isFalse();
        assertThat(trials.open(new RunKey(id, 2), 0, 2, 10))
                .singleElement()
                .satisfies(range -> assertThat(range.from()).isEqualTo(1));
    }

    @Test
    void shouldStayCompletedWhenTheBudgetIsRaisedAndNothingWasSkipped() {
        String id = finished(CampaignState.COMPLETED, "PASSED", "FAILED");
        store.execute("UPDATE campaign SET budget_usd = 1 WHERE campaign_id = ?", id);

        assertThat(steering.change(id, budget("2")).state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void shouldLowerTheBudgetToWhatIsSpentAndReservedButNotBelow() {
        String id = campaign(CampaignState.RUNNING);
        store.execute("UPDATE campaign SET budget_usd = 10 WHERE campaign_id = ?", id);
        ledger(id, 1, "ANSWERED", "0.30");
        ledger(id, 2, "SENT", null);

        assertThat(steering.change(id, budget("0.8")).budgetUsd()).isEqualByComparingTo("0.8");
        assertThatThrownBy(() -> steering.change(id, new LimitChange(null, new BigDecimal("0.79"), 1, null)))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting(FieldError::path).containsExactly("trials", "budgetUsd"))
                .hasMessageContaining("lowered from 2 to 1");
        assertThat(get(id).budgetUsd()).isEqualByComparingTo("0.8");
        assertThat(get(id).trials()).isEqualTo(2);
    }

    private void ledger(String id, int request, String state, String costUsd) {
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model,
                worker_id, epoch, reserved_usd, state, settled_at, cost_usd)
            VALUES (?, ?, 0, 'branch', 0, 1, 1, 'openai', 'm', 'w', 1, 0.50, ?, CASE WHEN ? = 'SENT' THEN NULL
                ELSE now() END, ?::numeric)\
            """, 1_000_000L * NUMBER.get() + request, id, state, state, costUsd);
    }

    @Test
    void shouldRefuseAFirstBudgetWhenAModelHasNoPrice() {
        String id = campaign(CampaignState.RUNNING);
        SampleCampaign.registerWorker(store, "worker-" + id);

        assertThatThrownBy(() -> steering.change(id, budget("5")))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("budgetUsd", "budgetUsd"))
                .hasMessageContaining("Model model-0 of provider openai has no price");
    }

    @Test
    void shouldFindNoCampaignWhenTheIdIsUnknown() {
        assertThatThrownBy(() -> steering.steer("nobody", SteeringVerb.PAUSE))
                .hasMessage("There is no campaign nobody");
        assertThatThrownBy(() -> steering.change("nobody", trials(3))).hasMessage("There is no campaign nobody");
        assertThatThrownBy(() -> steering.rerun("nobody", EVERYTHING)).hasMessage("There is no campaign nobody");
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING, 1", "RUNNING, RUNNING, 1", "PAUSED, PAUSED, 1",
        "COMPLETED, RUNNING, 2", "CANCELLED, RUNNING, 2", "FAILED, RUNNING, 2"
    })
    void shouldOpenErroredCellsInEachStateAndLetWhatEndedGoOn(CampaignState from, CampaignState to, int epoch) {
        String id = finished(from, "PASSED", "FAILED", "MODEL_ERROR", "TIMED_OUT");
        Rerun errored = new Rerun(Rerun.Only.ERRORED, List.of(), List.of());

        StoredCampaign rerun = steering.rerun(id, errored);

        assertThat(rerun.state()).isEqualTo(to);
        assertThat(rerun.epoch()).isEqualTo(epoch);
        assertThat(rerun.reruns()).isEqualTo(1);
        assertThat(steering.rerun(id, errored)).as("again").isEqualTo(rerun);
        assertThat(trials.open(new RunKey(id, epoch), 0, 4, 10))
                .singleElement()
                .satisfies(
                        range -> assertThat(List.of(range.from(), range.to())).containsExactly(2, 4));
        assertThat(openCells(id)).containsExactly("2/branch/1", "2/judge/0", "3/branch/1", "3/judge/0");
    }

    /** Cells without a row, of the ones that have been closed. */
    private List<Object> openCells(String id) {
        return store.query("""
            SELECT o || '/' || k.kind || '/' || k.member AS cell
            FROM generate_series(0, 3) o, (VALUES ('branch', 0), ('branch', 1), ('judge', 0)) AS k (kind, member)
            WHERE NOT EXISTS (SELECT 1 FROM cell c WHERE c.campaign_id = ? AND c.ordinal = o AND c.kind = k.kind
                AND c.member = k.member)
            ORDER BY 1\
            """, id).stream().map(row -> row.get("cell")).toList();
    }

    @Test
    void shouldKeepWhatWasReplacedAndCountWhatIsLeft() {
        String id = finished(CampaignState.COMPLETED, "PASSED", "FAILED", "MODEL_ERROR", "LIMIT");

        steering.rerun(id, EVERYTHING);

        assertThat(store.query("""
            SELECT kind, ordinal, member, result ->> 'status' AS status FROM replaced_result
            WHERE campaign_id = ? AND rerun = 1 ORDER BY kind, ordinal\
            """, id))
                .extracting(row -> row.values().toString())
                .containsExactly(
                        "[judge_call, 1, 0, COMPLETED]",
                        "[judge_call, 2, 0, COMPLETED]",
                        "[judge_call, 3, 0, COMPLETED]",
                        "[outcome, 1, 1, COMPLETED]",
                        "[outcome, 2, 1, MODEL_ERROR]",
                        "[outcome, 3, 1, LIMIT]",
                        "[trial, 1, 0, null]",
                        "[trial, 2, 0, null]",
                        "[trial, 3, 0, null]");
        assertThat(store.value("""
            SELECT (jsonb_populate_record(NULL::outcome, result)).response FROM replaced_result
            WHERE campaign_id = ? AND kind = 'outcome' AND ordinal = 1\
            """, id)).isEqualTo("the answer");
        CampaignCounters counters = progress.find(id).orElseThrow();
        assertThat(counters.cellsDone()).isEqualTo(5);
        assertThat(counters.cellsPassed()).isEqualTo(5);
        assertThat(counters.cellsFailed()).isZero();
        assertThat(counters.trialsDone()).isEqualTo(1);
        assertThat(counters.judgeTokens().usage().total()).isEqualTo(21);
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED,  '',     '',        1",
        "ERRORED, '',     '',        2 3",
        "ALL,     '',     '',        1 2 3",
        "ALL,     case-0, '',        2",
        "ALL,     case-1, branch-1,  1 3",
        "ALL,     '',     branch-0,  ''",
        "FAILED,  case-0, '',        ''",
    })
    void shouldOpenOnlyWhatWasAskedFor(Rerun.Only only, String caseId, String branchId, String ordinals) {
        String id = finished(CampaignState.COMPLETED, "PASSED", "FAILED", "MODEL_ERROR", "LIMIT");

        StoredCampaign rerun = steering.rerun(id, new Rerun(only, ids(caseId), ids(branchId)));

        assertThat(store.query("""
            SELECT ordinal FROM replaced_result WHERE campaign_id = ? AND kind = 'outcome' ORDER BY ordinal\
            """, id))
                .extracting(row -> String.valueOf(row.get("ordinal")))
                .isEqualTo(ids(ordinals));
        assertThat(rerun.state()).isEqualTo(ordinals.isEmpty() ? CampaignState.COMPLETED : CampaignState.RUNNING);
    }

    private static List<String> ids(String words) {
        return words.isEmpty() ? List.of() : List.of(words.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING, 1", "RUNNING, RUNNING, 1", "PAUSED, PAUSED, 1",
        "COMPLETED, RUNNING, 2", "CANCELLED, RUNNING, 2", "FAILED, RUNNING, 2"
    })
    void shouldOpenEveryCellInEachStateWhenARerunIsWhole(CampaignState from, CampaignState to, int epoch) {
        String id = finished(from, "PASSED", "FAILED", "MODEL_ERROR", "LIMIT");
        Rerun whole = Rerun.whole(List.of());

        StoredCampaign rerun = steering.rerun(id, whole);

        assertThat(rerun.state()).isEqualTo(to);
        assertThat(rerun.epoch()).isEqualTo(epoch);
        assertThat(rerun.reruns()).isEqualTo(1);
        assertThat(openCells(id)).hasSize(12);
        assertThat(progress.find(id).orElseThrow().cellsDone()).isZero();
        assertThat(progress.find(id).orElseThrow().trialsDone()).isZero();
        assertThat(store.count("SELECT count(*) FROM replaced_result WHERE campaign_id = ?", id))
                .as("8 outcomes, 4 judge calls, 4 selections")
                .isEqualTo(16);
        assertThat(steering.rerun(id, whole)).as("again").isEqualTo(rerun);
        SAMPLE.recordOutcome(store, id, 0, 0, "COMPLETED", true);
        assertThat(steering.rerun(id, whole))
                .as("again while some cells are open")
                .isEqualTo(rerun);
        assertThat(wholeReruns(id)).containsExactly("1/0", "1/1");
        assertThat(draws.of(rerun)).isEqualTo(new Draws(List.of(), 1));
    }

    private List<String> wholeReruns(String id) {
        return store.query("""
            SELECT rerun || '/' || branch_index AS covered FROM whole_rerun WHERE campaign_id = ? ORDER BY 1\
            """, id).stream()
                .map(row -> String.valueOf(row.get("covered")))
                .toList();
    }

    @Test
    void shouldOpenOnlyTheBranchesThatAWholeRerunNames() {
        String id = finished(CampaignState.COMPLETED, "PASSED", "FAILED");

        steering.rerun(id, Rerun.whole(List.of("branch-1")));

        assertThat(openCells(id))
                .contains("0/branch/1", "1/branch/1", "0/judge/0", "1/judge/0")
                .doesNotContain("0/branch/0", "1/branch/0");
        assertThat(wholeReruns(id)).containsExactly("1/1");
        assertThatThrownBy(() -> steering.rerun(id, Rerun.whole(List.of("branch-9"))))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting(FieldError::path).containsExactly("branches[0]"));
    }

    /** The first draws count until every cell is asked again, also where the last of them is open. */
    @Test
    void shouldReplaceDrawsOnlyByAWholeRerun() {
        String id = finished(CampaignState.RUNNING, "FAILED", "FAILED");
        steering.rerun(id, EVERYTHING);
        assertThat(draws.of(get(id)).redraws()).hasSize(2);

        steering.rerun(id, Rerun.whole(List.of("branch-1")));
        steering.rerun(id, Rerun.whole(List.of("branch-1")));

        assertThat(draws.of(get(id))).isEqualTo(new Draws(List.of(), 1));
        SAMPLE.recordOutcome(store, id, 0, 1, "COMPLETED", false);
        steering.rerun(id, EVERYTHING);
        assertThat(draws.of(get(id)).redraws()).hasSize(1);
    }

    @Test
    void shouldAskAgainForAnswersThatWaitForGradesWhenARerunIsWhole() {
        String id = finished(CampaignState.RUNNING, "PASSED", "FAILED");
        int grade = new GradeSlot(1, 0, false).number();
        store.execute("""
            WITH gone AS (DELETE FROM outcome WHERE campaign_id = ? AND ordinal = 1 AND branch_index = 1 RETURNING *)
            INSERT INTO ungraded_outcome SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) FROM gone\
            """, id);
        store.execute("INSERT INTO cell (campaign_id, ordinal, kind, member) VALUES (?, 1, 'grade', ?)", id, grade);
        store.execute("INSERT INTO cell (campaign_id, ordinal, kind, member) VALUES (?, 1, 'grade', 100000000)", id);

        steering.rerun(id, Rerun.whole(List.of("branch-1")));

        assertThat(store.count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = ?", id))
                .isZero();
        assertThat(store.query("SELECT member FROM cell WHERE campaign_id = ? AND kind = 'grade'", id))
                .as("the grade of another branch stays")
                .extracting(row -> row.get("member"))
                .containsExactly(100_000_000);
        assertThat(openCells(id)).contains("1/branch/1");
    }

    @Test
    void shouldStayAsItIsWhenNothingWasDrawnBeforeAWholeRerun() {
        String id = campaign(CampaignState.PENDING);

        assertThat(steering.rerun(id, Rerun.whole(List.of())).reruns()).isZero();
        assertThat(wholeReruns(id)).isEmpty();
    }

    @Test
    void shouldAskTheJudgeAgainWhenOnlyItFailed() {
        String id = finished(CampaignState.COMPLETED, "PASSED", "PASSED");
        store.execute("UPDATE judge_call SET status = 'MODEL_ERROR' WHERE campaign_id = ? AND ordinal = 1", id);

        steering.rerun(id, new Rerun(Rerun.Only.ERRORED, List.of(), List.of()));

        assertThat(store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                .isEqualTo(4);
        assertThat(store.count("SELECT count(*) FROM cell WHERE campaign_id = ? AND kind = 'judge'", id))
                .isEqualTo(1);
        assertThat(trials.open(new RunKey(id, 2), 0, 2, 10))
                .singleElement()
                .satisfies(range -> assertThat(range.from()).isEqualTo(1));
    }

    @Test
    void shouldNameEveryCaseAndBranchThatTheCampaignDoesNotHave() {
        String id = finished(CampaignState.COMPLETED, "FAILED");

        assertThatThrownBy(() ->
                        steering.rerun(id, new Rerun(Rerun.Only.ALL, List.of("case-0", "case-9"), List.of("branch-9"))))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors())
                                .extracting(FieldError::path)
                                .containsExactly("cases[1]", "branches[0]"));
        assertThat(store.count("SELECT count(*) FROM replaced_result WHERE campaign_id = ?", id))
                .isZero();
    }

    /** What was not needed may be needed for more trials, or without the failures that settled a case. */
    @Test
    void shouldOpenWhatWasNotNeededWhenACampaignThatStopsEarlyIsExtendedOrRunAgainWhileItRuns() {
        String extended = finished(CampaignState.RUNNING, "PASSED", "MODEL_ERROR");
        String again = finished(CampaignState.RUNNING, "PASSED", "MODEL_ERROR");
        store.execute("UPDATE campaign SET stop = 'settled' WHERE campaign_id IN (?, ?)", extended, again);
        int trials = get(extended).trials();

        steering.change(extended, new LimitChange(null, null, trials + 2, null));
        steering.change(extended, new LimitChange(null, null, trials + 3, null));
        steering.rerun(again, EVERYTHING);

        assertThat(get(extended).standing().reopensSkipped()).isTrue();
        assertThat(get(extended).stopping().extensions()).containsExactly(2, 1);
        assertThat(get(again).standing().reopensSkipped()).isTrue();
    }

    @Test
    void shouldNotRecordASelectionOfOutcomesThatWereReplaced() {
        String id = finished(CampaignState.RUNNING, "PASSED", "MODEL_ERROR");
        StoredCampaign before = get(id);
        SelectedTrial selected = new SelectedTrial(
                1, 1, 1, true, false, false, new Selection("pick-first", new Decision.Won(0), "The first branch."));
        steering.rerun(id, EVERYTHING);

        assertThat(trials.record(before, 1, "w", List.of(selected))).isFalse();
        assertThat(progress.trialsDone(id, 1)).isEqualTo(1);
        assertThat(trials.record(get(id), 1, "w", List.of(selected))).isTrue();
        assertThat(progress.trialsDone(id, 1)).isEqualTo(2);
    }

    @Test
    void shouldNotRecordWhatAJudgeSaysOfOutcomesThatWereReplaced() {
        String id = finished(CampaignState.RUNNING, "PASSED", "MODEL_ERROR");
        Campaigns.worker(workers, "judging");
        store.execute("DELETE FROM judge_call WHERE campaign_id = ?", id);
        store.execute("DELETE FROM cell WHERE campaign_id = ? AND kind = 'judge'", id);
        Claims claims = cells.claim(new RunKey(id, 1), "judging", CellKind.JUDGE, 0, List.of(0, 1));
        assertThat(claims.claimed()).hasSize(2);
        steering.rerun(id, EVERYTHING);

        journal.record(new RecordJudgeCall(id, 1, "judging", judgeCall(0)));
        journal.record(new RecordJudgeCall(id, 1, "judging", judgeCall(1)));

        assertThat(store.query("SELECT ordinal FROM judge_call WHERE campaign_id = ?", id))
                .extracting(row -> row.get("ordinal"))
                .containsExactly(0);
        assertThat(cells.claim(new RunKey(id, 1), "judging", CellKind.JUDGE, 0, List.of(0, 1))
                        .claimed())
                .extracting(Claims.Claimed::ordinal)
                .containsExactly(1);
    }

    private static FinishedJudgeCall judgeCall(int ordinal) {
        return new FinishedJudgeCall(
                ordinal,
                null,
                "s.judge.3",
                OutcomeStatus.COMPLETED,
                new JudgePreview("Judge.", "Which is best?", new Compaction(null, 0, 0, 0, 3, 3, true), null),
                new JudgeAnswer(0, List.of(0, 1), "1", null, true),
                new Measured(Usage.of(20, 1), null, Duration.ofMillis(80)),
                Provenance.NONE,
                1,
                null);
    }
}

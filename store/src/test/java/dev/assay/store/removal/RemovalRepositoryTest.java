package dev.assay.store.removal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.matrix.MatrixRepository;
import dev.assay.store.page.PageRequest;
import dev.assay.store.removal.RemovalRepository.Position;
import dev.assay.store.removal.RemovalRepository.Step;
import dev.assay.store.result.ProgressRepository;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@StoreTest
final class RemovalRepositoryTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final SampleCampaign sample = new SampleCampaign("removed-" + NUMBER.incrementAndGet(), 2, 2, 2);
    private final StoreFixture store;
    private final RemovalRepository removal;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final MatrixRepository matrices;

    RemovalRepositoryTest(
            StoreFixture store,
            RemovalRepository removal,
            CampaignRepository campaigns,
            ProgressRepository progress,
            MatrixRepository matrices) {
        this.store = store;
        this.removal = removal;
        this.campaigns = campaigns;
        this.progress = progress;
        this.matrices = matrices;
    }

    /** A campaign with something of everything: results, a re-run, a ledger, counters, a matrix. */
    private String campaign(String id) {
        campaigns.create(id, sample.submission(), new SubmissionOrigin("somebody", "key-" + id));
        for (int ordinal = 0; ordinal < 4; ordinal++) {
            sample.recordOutcome(store, id, ordinal, 0, "COMPLETED", true);
            sample.recordOutcome(store, id, ordinal, 1, "TIMED_OUT", false);
            sample.recordSelection(store, id, ordinal, 0);
        }
        store.execute("INSERT INTO judge_prompt VALUES (?, 'Judge.', 'Which?') ON CONFLICT DO NOTHING", "own of " + id);
        sample.recordJudgeCall(store, id, 0);
        sample.recordJudgeCall(store, id, 1);
        store.execute(
                "UPDATE judge_call SET prompt_hash = ? WHERE campaign_id = ? AND ordinal = 1", "own of " + id, id);
        store.execute("INSERT INTO cell (campaign_id, ordinal, kind, member) VALUES (?, 0, 'branch', 0)", id);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id,
                epoch, state) VALUES (?, ?, 0, 'branch', 0, 1, 1, 'p', 'm', 'w', 1, 'SENT')\
            """, NUMBER.incrementAndGet(), id);
        store.execute("INSERT INTO budget (campaign_id) VALUES (?)", id);
        store.execute("INSERT INTO series VALUES (?, 'w', now(), 1, 1, 1, 0, 5, NULL)", id);
        store.execute("INSERT INTO store_gap (campaign_id, lost_until) VALUES (?, now())", id);
        store.execute("INSERT INTO unstored_answer VALUES (?, 0, 'branch', 0, 1, NULL)", id);
        store.execute("INSERT INTO compute_kill VALUES (?, 'ab', 'check {}', 1)", id);
        store.execute("INSERT INTO campaign_interpreter VALUES (?, 'python', '/usr/bin/python3', '3.12.1')", id);
        store.execute("INSERT INTO cancelled_branch (campaign_id, branch_index) VALUES (?, 0)", id);
        store.execute("""
            INSERT INTO turn SELECT ?, 0, 0, 1, 'w', '{}', 0, 0, 0, 0, 0, 0, NULL, 0, 0, now(), NULL, '{}'\
            """, id);
        store.execute("INSERT INTO tool_result VALUES (?, 0, 0, 1, 0, NULL, now(), NULL)", id);
        store.execute("INSERT INTO ungraded_outcome VALUES (?, 0, 0, '{}')", id);
        store.execute("INSERT INTO whole_rerun VALUES (?, 1, 0)", id);
        store.execute("INSERT INTO label_sample VALUES ('of ' || ?, ?, 1, 1, 1, '{branch-0}')", id, id);
        store.execute("""
            INSERT INTO label_sample_cell VALUES ('of ' || ?, 0, '0123456789abcdef', 0, 0, 'Yes.', ?, 'case-0', 'branch-0', 1, 0)\
            """, id, id);
        progress.recount(id);
        SampleCampaign.rerun(store, id, new Rerun(Rerun.Only.ALL, List.of("case-0"), List.of()));
        matrices.rebuild(id);
        SampleCampaign.rerun(store, id, new Rerun(Rerun.Only.ALL, List.of(), List.of()));
        sample.recordSelection(store, id, 3, 0);
        sample.recordJudgeCall(store, id, 2);
        sample.recordJudgeCall(store, id, 3);
        store.execute("INSERT INTO judge_prompt VALUES (?, 'Judge.', 'Which, now?')", "second of " + id);
        store.execute(
                "UPDATE judge_call SET prompt_hash = ? WHERE campaign_id = ? AND ordinal = 3", "second of " + id, id);
        store.execute(
                "INSERT INTO imported_campaign (campaign_id, tool, complete, metrics) VALUES (?, 'inspect', true,"
                        + " '[]')",
                id);
        store.execute(
                "INSERT INTO import_file (campaign_id, place, name, sha256, size) VALUES (?, 0, 'a.eval', 'abc', 1)",
                id);
        state(id, "COMPLETED");
        return id;
    }

    private void state(String id, String state) {
        store.execute("UPDATE campaign SET state = ? WHERE campaign_id = ?", state, id);
    }

    private void remove(String id) {
        removal.begin(id);
        steps(id, 3);
        removal.finish(id, Duration.ZERO);
        while (removal.removeLedger(id, 3) > 0) {
            continue;
        }
    }

    /** Removes rows, few at a time; how many steps that took. */
    private int steps(String id, int rows) {
        int steps = 0;
        Position position = Position.START;
        while (position != null) {
            Step step = removal.remove(id, position, rows);
            assertThat(step.removed()).isLessThanOrEqualTo(rows);
            position = step.next();
            steps++;
        }
        return steps;
    }

    private long ledger(String id) {
        return store.count("SELECT count(*) FROM ledger WHERE campaign_id = ?", id);
    }

    /** Rows of a campaign, by table: of every table of the schema that refers to campaigns, or to what refers to them. */
    private Map<String, Long> rows(String id) {
        Map<String, Long> rows = new java.util.TreeMap<>();
        store.query("""
            SELECT conrelid::regclass::text AS name, attname AS key FROM pg_constraint k
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
            WHERE k.contype = 'f' AND a.attname IN ('campaign_id', 'evaluation_id')\
            """)
                .forEach(table -> rows.put(
                        String.valueOf(table.get("name")),
                        store.count(
                                "SELECT count(*) FROM " + table.get("name") + " WHERE " + table.get("key") + " = ?",
                                id)));
        rows.put("ledger", ledger(id));
        rows.put("kept_ledger", store.count("SELECT count(*) FROM kept_ledger WHERE campaign_id = ?", id));
        rows.put("campaign", store.count("SELECT count(*) FROM campaign WHERE campaign_id = ?", id));
        return rows;
    }

    @Test
    void shouldRemoveAllThatIsItsOwnAndLeaveWhatOthersUse() {
        String other = campaign("stays-" + NUMBER.incrementAndGet());
        String id = campaign("goes-" + NUMBER.incrementAndGet());
        Map<String, Long> before = rows(other);
        assertThat(rows(id)).containsKeys("outcome", "judge_call", "series", "evaluation_event", "tool_result");
        assertThat(rows(id).entrySet().stream()
                        .filter(row -> row.getValue() == 0)
                        .map(Map.Entry::getKey))
                .as("tables that the sample does not fill")
                .containsExactly(
                        "campaign_workspace",
                        "evaluation",
                        "evaluation_event",
                        "hypothesis_batch",
                        "hypothesis_evaluation",
                        "kept_ledger",
                        "scoring");

        remove(id);

        assertThat(rows(id).values()).containsOnly(0L);
        assertThat(rows(other)).isEqualTo(before);
        assertThat(store.query("SELECT prompt_hash FROM judge_prompt").toString())
                .contains("own of " + other, "second of " + other, "hash")
                .doesNotContain("own of " + id, "second of " + id);
        assertThat(campaigns.find(other)).isPresent();
        assertThat(store.count("SELECT count(*) FROM suite WHERE name = ?", sample.name()))
                .isOne();
        remove(other);
        assertThat(store.count("SELECT count(*) FROM suite WHERE name = ?", sample.name()))
                .isZero();
    }

    @Test
    void shouldRemoveACassetteWithTheLastCampaignThatNamesIt() {
        String first = campaign("cassette-" + NUMBER.incrementAndGet());
        String second = campaign("cassette-" + NUMBER.incrementAndGet());
        for (String id : List.of(first, second)) {
            store.execute("""
                UPDATE campaign SET state = 'COMPLETED', definition = definition || '{"replay": {"cassette": "sha256:c0ffee"}}'
                WHERE campaign_id = ?\
                """, id);
        }
        store.execute("INSERT INTO cassette_entry (cassette_id, request_key, trial, entry) VALUES ('c0ffee', 'key', 1,"
                + " '{}')");
        String left = "SELECT count(*) FROM cassette_entry WHERE cassette_id = 'c0ffee'";

        remove(first);
        assertThat(store.count(left)).isOne();
        remove(second);
        assertThat(store.count(left)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PENDING", "RUNNING", "PAUSED"})
    void shouldRefuseACampaignThatGoesOn(String state) {
        String id = campaign("on-" + NUMBER.incrementAndGet());
        state(id, state);
        Map<String, Long> before = rows(id);

        assertThatThrownBy(() -> removal.begin(id))
                .isInstanceOfSatisfying(
                        AssayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
                .hasMessageContaining("cancel it");
        assertThat(rows(id)).isEqualTo(before);
    }

    @Test
    void shouldHideItAtOnceAndGoOnWhenItWasInterrupted() {
        String id = campaign("hidden-" + NUMBER.incrementAndGet());
        assertThat(removal.begin(id)).isTrue();
        assertThat(removal.begin(id)).isFalse();
        removal.remove(id, Position.START, 1);

        assertThat(campaigns.find(id)).isEmpty();
        assertThat(campaigns
                        .list(CampaignSearch.ALL, PageRequest.of(null, 1_000))
                        .items())
                .noneMatch(campaign -> campaign.id().equals(id));
        assertThat(removal.begun()).contains(id);
        assertThat(store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                .isPositive();
        assertThat(store.count("SELECT count(*) FROM results WHERE campaign_id = ?", id))
                .isZero();
        assertThatThrownBy(() -> matrices.load(id)).hasMessageContaining("There is no campaign");
        remove(id);
        assertThat(rows(id).values()).containsOnly(0L);
        assertThat(removal.begun()).doesNotContain(id);
        assertThatThrownBy(() -> removal.begin(id)).hasMessageContaining("There is no campaign " + id);
    }

    @Test
    void shouldTakeTheSameIdempotencyKeyAgain() {
        String id = campaign("again-" + NUMBER.incrementAndGet());
        removal.begin(id);

        assertThat(campaigns.create("new-" + id, sample.submission(), new SubmissionOrigin("somebody", "key-" + id)))
                .isEqualTo("new-" + id);
    }

    @Test
    void shouldKeepTheSuiteWhenANewCampaignBeginsToUseIt() throws SQLException {
        String id = campaign("shared-" + NUMBER.incrementAndGet());
        removal.begin(id);
        campaigns.create("user-of-" + id, sample.submission());

        remove(id);

        assertThat(campaigns.find("user-of-" + id)).isPresent();
        assertThat(store.count("""
            SELECT count(*) FROM suite_case JOIN campaign USING (suite_id) WHERE campaign_id = ?\
            """, "user-of-" + id)).isEqualTo(2);
    }

    @Test
    void shouldRemoveRowsOfSeveralServersThatRemoveInTurn() {
        String id = campaign("turns-" + NUMBER.incrementAndGet());
        removal.begin(id);
        Position one = Position.START;
        Position other = Position.START;
        while (one != null || other != null) {
            one = one == null ? null : removal.remove(id, one, 2).next();
            other = other == null ? null : removal.remove(id, other, 3).next();
        }

        assertThat(store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                .isZero();
        assertThat(store.count("SELECT count(*) FROM cell WHERE campaign_id = ?", id))
                .isZero();
        removal.finish(id, Duration.ZERO);
        removal.finish(id, Duration.ZERO);
        assertThat(removal.remove(id, Position.START, 1)).isEqualTo(new Step(0, null));
    }

    @Test
    void shouldRemoveWhatIsRecordedWhileRowsGo() {
        String id = campaign("late-" + NUMBER.incrementAndGet());
        removal.begin(id);
        assertThat(steps(id, 3)).isGreaterThan(5);
        sample.recordOutcome(store, id, 0, 0, "COMPLETED", true);

        removal.finish(id, Duration.ZERO);

        assertThat(store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                .isZero();
    }

    @Test
    void shouldKeepTheLedgerAsLongAsItIsToldTo() {
        String id = campaign("kept-" + NUMBER.incrementAndGet());
        removal.begin(id);
        removal.finish(id, Duration.ofDays(30));

        assertThat(campaigns.find(id)).isEmpty();
        assertThat(ledger(id)).isPositive();
        assertThat(removal.ledgersDue()).doesNotContain(id);
        store.execute("UPDATE kept_ledger SET goes_at = goes_at - interval '30 days' WHERE campaign_id = ?", id);
        assertThat(removal.ledgersDue()).contains(id);
        while (removal.removeLedger(id, 1) > 0) {
            assertThat(removal.ledgersDue()).contains(id);
        }
        assertThat(ledger(id)).isZero();
        assertThat(removal.ledgersDue()).doesNotContain(id);
    }

    @Test
    void shouldFindWhatEndedLongAgoOnly() {
        String old = campaign("old-" + NUMBER.incrementAndGet());
        String young = campaign("young-" + NUMBER.incrementAndGet());
        String paused = campaign("paused-" + NUMBER.incrementAndGet());
        String hidden = campaign("gone-" + NUMBER.incrementAndGet());
        state(paused, "PAUSED");
        removal.begin(hidden);
        for (String id : List.of(old, paused, hidden)) {
            store.execute("UPDATE campaign SET changed_at = now() - interval '2 days' WHERE campaign_id = ?", id);
        }

        assertThat(removal.ended("COMPLETED", 86_400)).contains(old).doesNotContain(young, paused, hidden);
        assertThat(removal.ended("COMPLETED", 3 * 86_400)).doesNotContain(old);
        assertThat(removal.ended("FAILED", 86_400)).doesNotContain(old);
        assertThat(removal.ended("PAUSED", 86_400)).isEmpty();
    }

    private void label(String origin, int trial) {
        store.execute(
                "INSERT INTO label (origin_campaign, origin_case, origin_branch, origin_trial, origin_draw, value,"
                        + " unsure, labeller) VALUES (?, 'case-0', 'branch-0', ?, 0, 1, false, 'anna')",
                origin,
                trial);
    }

    private List<Object> labels(String origin) {
        return store.query("SELECT origin_trial FROM label WHERE origin_campaign = ? ORDER BY 1", origin).stream()
                .map(row -> row.get("origin_trial"))
                .toList();
    }

    /** The draw of trial 1 has a copy in another campaign, that of trial 2 has none. */
    @Test
    void shouldKeepLabelsWhileAnOutcomeHoldsTheirDraw() {
        String first = campaign("labelled");
        String second = campaign("scored");
        store.execute(
                "UPDATE outcome SET source = 'REUSED', origin_campaign = ?, origin_case = 'case-0',"
                        + " origin_branch = 'branch-0', origin_trial = 1, origin_draw = 0"
                        + " WHERE campaign_id = ? AND ordinal = 0 AND branch_index = 0",
                first,
                second);
        label(first, 1);
        label(first, 2);
        store.execute("UPDATE label SET superseded_at = now() WHERE origin_campaign = ? AND origin_trial = 2", first);
        label(second, 1);

        remove(first);
        assertThat(labels(first)).containsExactly(1);
        assertThat(labels(second)).containsExactly(1);

        remove(second);
        assertThat(labels(first)).isEmpty();
        assertThat(labels(second)).isEmpty();
    }
}

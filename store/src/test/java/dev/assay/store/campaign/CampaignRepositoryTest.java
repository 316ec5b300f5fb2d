package dev.assay.store.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.message.Message;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.usage.Usage;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@StoreTest
final class CampaignRepositoryTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 3, 2, 4);
    private static final SubmissionOrigin KEY = new SubmissionOrigin("ada", "key");
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final StoreFixture store;
    private final CampaignRepository campaigns;

    CampaignRepositoryTest(StoreFixture store, CampaignRepository campaigns) {
        this.store = store;
        this.campaigns = campaigns;
    }

    @BeforeEach
    void removeCampaigns() {
        store.execute("DELETE FROM campaign_branch");
        store.execute("DELETE FROM campaign");
    }

    @Test
    void shouldStoreEverythingWhenCampaignIsCreated() {
        campaigns.create("c", SAMPLE.submission());

        StoredCampaign campaign = campaigns.find("c").orElseThrow();
        assertThat(campaign.name()).isEqualTo("capitals");
        assertThat(campaign.suite().name())
                .isEqualTo(SAMPLE.submission().suite().name());
        assertThat(campaign.caseCount()).isEqualTo(3);
        assertThat(campaign.trials()).isEqualTo(4);
        assertThat(campaign.definition()).isEqualTo(SAMPLE.submission().definition());
        assertThat(campaign.state()).isEqualTo(CampaignState.PENDING);
        assertThat(campaign.epoch()).isEqualTo(1);
        assertThat(campaign.maxConcurrent())
                .isEqualTo(SAMPLE.submission().definition().limits().maxConcurrent());
        assertThat(campaign.budgetUsd()).isNull();
        assertThat(campaign.verdict()).isNull();
        assertThat(campaign.times().started()).isNull();
        assertThat(campaign.times().finished()).isNull();
        assertThat(store.query("SELECT branch_id, provider, model FROM campaign_branch ORDER BY branch_index"))
                .extracting(row -> row.get("branch_id"), row -> row.get("provider"), row -> row.get("model"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("branch-0", "openai", "model-0"),
                        org.assertj.core.groups.Tuple.tuple("branch-1", "openai", "model-1"));
    }

    @Test
    void shouldFindNothingWhenIdIsUnknown() {
        assertThat(campaigns.find("nobody")).isEmpty();
    }

    @Test
    void shouldStoreSuiteOnceWhenTwoCampaignsShareItsContent() {
        campaigns.create("a", SAMPLE.submission());
        campaigns.create("b", SAMPLE.submission());

        assertThat(campaigns.find("a").orElseThrow().suiteId())
                .isEqualTo(campaigns.find("b").orElseThrow().suiteId());
        assertThat(store.count(
                        "SELECT count(*) FROM suite_case WHERE suite_id = ?",
                        campaigns.find("a").orElseThrow().suiteId()))
                .isEqualTo(3);
    }

    @Test
    void shouldChangeNothingWhenSameCampaignIsCreatedAgain() {
        campaigns.create("c", SAMPLE.submission());
        campaigns.transition("c", EnumSet.of(CampaignState.PENDING), CampaignState.RUNNING, true, null);
        campaigns.create("c", SAMPLE.submission());

        assertThat(campaigns.find("c").orElseThrow().state()).isEqualTo(CampaignState.RUNNING);
        assertThat(store.count("SELECT count(*) FROM campaign_branch")).isEqualTo(2);
    }

    @Test
    void shouldRefuseAndStoreNothingWhenIdIsTakenByOtherContent() {
        campaigns.create("c", SAMPLE.submission());
        String otherName = "other-" + NUMBER.incrementAndGet();
        CampaignSubmission other = new SampleCampaign(otherName, 2, 1, 1).submission();

        assertThatThrownBy(() -> campaigns.create("c", other))
                .isInstanceOfSatisfying(
                        AssayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
                .hasMessageContaining("c is taken");
        assertThat(store.count(
                        "SELECT count(*) FROM suite WHERE name = ?",
                        other.suite().name()))
                .isZero();
    }

    @Test
    void shouldReturnFirstCampaignWhenIdempotencyKeyComesAgain() {
        assertThat(campaigns.create("first", SAMPLE.submission(), KEY)).isEqualTo("first");
        assertThat(campaigns.create("second", SAMPLE.submission(), new SubmissionOrigin("bob", "key")))
                .isEqualTo("first");
        assertThat(campaigns.find("first").orElseThrow().createdBy()).isEqualTo("ada");

        assertThat(campaigns.find("second")).isEmpty();
    }

    @Test
    void shouldRefuseWhenIdempotencyKeyComesWithOtherContent() {
        campaigns.create("first", SAMPLE.submission(), KEY);

        assertThatThrownBy(() -> campaigns.create("second", new SampleCampaign("capitals", 3, 2, 5).submission(), KEY))
                .hasMessageContaining("Idempotency key key was used");
    }

    @Test
    void shouldCreateOneCampaignWhenKeyComesManyTimesAtOnce() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> ids = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String id = "at-once-" + i;
                Callable<String> create = () -> {
                    start.await();
                    return campaigns.create(id, SAMPLE.submission(), new SubmissionOrigin(null, "at-once"));
                };
                ids.add(threads.submit(create));
            }
            start.countDown();
            String first = ids.getFirst().get();
            for (Future<String> id : ids) {
                assertThat(id.get()).isEqualTo(first);
            }
        }
        assertThat(store.count("SELECT count(*) FROM campaign")).isEqualTo(1);
    }

    @Test
    void shouldStoreCassetteOnceWhenTwoCampaignsBringIt() {
        Cassette cassette = new Cassette("cassette", List.of(entry("a", 1), entry("a", 2), entry("b", 1)));
        CampaignSubmission plain = SAMPLE.submission();
        CampaignSubmission withCassette =
                new CampaignSubmission(plain.definition(), plain.suite(), List.of(cassette), plain.document());

        campaigns.create("a", withCassette);
        campaigns.create("b", withCassette);

        assertThat(store.count("SELECT count(*) FROM cassette_entry WHERE cassette_id = 'cassette'"))
                .isEqualTo(3);
        assertThat(store.value("""
            SELECT entry->'reply'->>'content' FROM cassette_entry
            WHERE cassette_id = 'cassette' AND request_key = 'a' AND trial = 2\
            """)).isEqualTo("reply a 2");
    }

    @Test
    void shouldListEveryCampaignOnceWhenPagesAreFollowed() {
        for (int i = 0; i < 7; i++) {
            campaigns.create("c" + i, SAMPLE.submission());
        }
        // Same time: the id decides.
        store.execute("UPDATE campaign SET created_at = '2026-01-01' WHERE campaign_id IN ('c2', 'c3', 'c4')");

        List<String> ids = new ArrayList<>();
        String token = null;
        do {
            Page<StoredCampaign> page = campaigns.list(CampaignSearch.ALL, PageRequest.of(token, 2));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
            page.items().forEach(campaign -> ids.add(campaign.id()));
            token = page.nextPageToken();
        } while (token != null);

        assertThat(ids).containsExactly("c6", "c5", "c1", "c0", "c2", "c3", "c4");
    }

    @Test
    void shouldListOnlyStatesThatWereAskedFor() {
        campaigns.create("a", SAMPLE.submission());
        campaigns.create("b", SAMPLE.submission());
        campaigns.transition("b", EnumSet.of(CampaignState.PENDING), CampaignState.CANCELLED, true, null);

        assertThat(campaigns
                        .list(CampaignSearch.in(Set.of(CampaignState.CANCELLED)), PageRequest.of(null, 10))
                        .items())
                .extracting(StoredCampaign::id)
                .containsExactly("b");
    }

    @Test
    void shouldLeaveOutWhatMayBeStartedRightNowWhenAskedForWhatHasNotEnded() {
        for (String id : List.of("old", "new", "running", "paused")) {
            campaigns.create(id, SAMPLE.submission());
        }
        campaigns.transition("running", EnumSet.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);
        campaigns.transition("paused", EnumSet.of(CampaignState.PENDING), CampaignState.PAUSED, false, null);
        store.execute(
                "UPDATE campaign SET changed_at = now() - interval '6 seconds' WHERE campaign_id IN ('old', 'paused')");

        assertThat(campaigns.unfinished(false)).containsExactly("old", "paused");
        assertThat(campaigns.unfinished(true)).containsExactly("old", "running", "paused");
    }

    @Test
    void shouldRefusePageTokenWhenItIsNotOurs() {
        assertThatThrownBy(() -> campaigns.list(CampaignSearch.ALL, PageRequest.of("%%%", 10)))
                .isInstanceOfSatisfying(AssayException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT);
                    assertThat(e.errors()).extracting("path").containsExactly("pageToken");
                });
        assertThatThrownBy(() -> campaigns.list(CampaignSearch.ALL, PageRequest.of("bm90IGEgdGltZQph", 10)))
                .isInstanceOf(AssayException.class);
    }

    @Test
    void shouldSetTimesAndEpochWhenCampaignMoves() {
        campaigns.create("c", SAMPLE.submission());

        StoredCampaign running = campaigns
                .transition("c", EnumSet.of(CampaignState.PENDING), CampaignState.RUNNING, false, null)
                .orElseThrow();
        assertThat(running.epoch()).isEqualTo(1);
        assertThat(running.times().started()).isNotNull();
        assertThat(running.times().finished()).isNull();

        StoredCampaign failed = campaigns
                .transition("c", EnumSet.of(CampaignState.RUNNING), CampaignState.FAILED, true, "No progress")
                .orElseThrow();
        assertThat(failed.epoch()).isEqualTo(2);
        assertThat(failed.failureReason()).isEqualTo("No progress");
        assertThat(failed.times().finished()).isNotNull();

        StoredCampaign again = campaigns
                .transition("c", EnumSet.of(CampaignState.FAILED), CampaignState.RUNNING, true, null)
                .orElseThrow();
        assertThat(again.epoch()).isEqualTo(3);
        assertThat(again.times().started()).isEqualTo(running.times().started());
        assertThat(again.times().finished()).isNull();
        assertThat(again.failureReason()).isNull();
    }

    @Test
    void shouldClearVerdictAndSummaryWhenCompletedCampaignRunsAgain() {
        campaigns.create("c", SAMPLE.submission());
        StoredCampaign running = running();
        assertThat(campaigns.complete(running, Verdict.PASS, "{\"a\": 1}", Map.of()))
                .isTrue();
        StoredCampaign completed = campaigns.find("c").orElseThrow();
        assertThat(completed.verdict()).isEqualTo(Verdict.PASS);
        assertThat(campaigns.summary("c")).hasValue("{\"a\": 1}");
        assertThat(completed.times().finished()).isNotNull();

        StoredCampaign again = campaigns
                .transition("c", EnumSet.of(CampaignState.COMPLETED), CampaignState.RUNNING, true, null)
                .orElseThrow();
        assertThat(again.verdict()).isNull();
        assertThat(campaigns.summary("c")).isEmpty();
        assertThat(again.times().finished()).isNull();
    }

    @Test
    void shouldChangeNothingWhenCampaignIsInAnotherState() {
        campaigns.create("c", SAMPLE.submission());

        assertThat(campaigns.transition("c", EnumSet.of(CampaignState.PAUSED), CampaignState.RUNNING, true, null))
                .isEmpty();
        assertThat(campaigns.complete(campaigns.find("c").orElseThrow(), Verdict.PASS, "{}", Map.of()))
                .isFalse();
        assertThat(campaigns.find("c").orElseThrow().epoch()).isEqualTo(1);
    }

    @Test
    void shouldNotEndCampaignWhenEpochHasMovedOn() {
        campaigns.create("c", SAMPLE.submission());
        StoredCampaign running = running();
        StoredCampaign raised =
                campaigns.raiseEpoch("c", EnumSet.of(CampaignState.RUNNING)).orElseThrow();

        assertThat(raised.epoch()).isEqualTo(2);
        assertThat(campaigns.complete(running, Verdict.PASS, "{}", Map.of())).isFalse();
        assertThat(campaigns.fail(new RunKey("c", 1), "stale")).isFalse();
        assertThat(campaigns.fail(new RunKey("c", 2), "Could not go on")).isTrue();
        assertThat(campaigns.find("c").orElseThrow().failureReason()).isEqualTo("Could not go on");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"trials = trials + 1", "reruns = reruns + 1", "reopens_skipped = true", "epoch = epoch + 1"})
    void shouldNotEndCampaignWhenCellsWereOpenedSinceItWasRead(String change) {
        campaigns.create("c", SAMPLE.submission());
        StoredCampaign seen = running();
        store.execute("UPDATE campaign SET " + change + " WHERE campaign_id = 'c'");

        assertThat(campaigns.complete(seen, Verdict.PASS, "{}", Map.of())).isFalse();
        assertThat(campaigns.find("c").orElseThrow().state()).isEqualTo(CampaignState.RUNNING);
    }

    private StoredCampaign running() {
        return campaigns
                .transition("c", EnumSet.of(CampaignState.PENDING), CampaignState.RUNNING, false, null)
                .orElseThrow();
    }

    private static CassetteEntry entry(String key, int trial) {
        return new CassetteEntry(
                key, trial, "openai", "m", "?", Message.assistant("reply " + key + " " + trial), Usage.NONE, null, 1);
    }
}

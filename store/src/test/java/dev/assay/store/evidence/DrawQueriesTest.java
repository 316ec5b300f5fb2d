package dev.assay.store.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.evidence.EvidenceTally;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.ProgressRepository;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@StoreTest
final class DrawQueriesTest {

    /** 2 cases × 3 trials × 2 branches: trial numbers 0 to 5. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("drawn again", 2, 2, 3);

    private static final int TRIALS = 6;
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Rerun FAILED = new Rerun(Rerun.Only.ALL, List.of(), List.of());

    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final DrawQueries draws;

    DrawQueriesTest(StoreFixture store, CampaignRepository campaigns, ProgressRepository progress, DrawQueries draws) {
        this.store = store;
        this.campaigns = campaigns;
        this.progress = progress;
        this.draws = draws;
    }

    /** What a draw may be. */
    private enum Draw {
        PASSED("COMPLETED", true),
        FAILED("COMPLETED", false),
        UNSCORED("COMPLETED", null),
        TIMED_OUT("TIMED_OUT", false),
        UNANSWERED("MODEL_ERROR", false),
        CUT("LIMIT", false);

        private final String status;
        private final @Nullable Boolean passed;

        Draw(String status, @Nullable Boolean passed) {
            this.status = status;
            this.passed = passed;
        }
    }

    private String campaign() {
        String id = "drawn-" + NUMBER.incrementAndGet();
        campaigns.create(id, SAMPLE.submission());
        store.execute("UPDATE campaign SET state = ? WHERE campaign_id = ?", CampaignState.RUNNING.name(), id);
        return id;
    }

    private StoredCampaign get(String id) {
        return campaigns.find(id).orElseThrow();
    }

    private void record(String id, int ordinal, int branch, Draw draw) {
        SAMPLE.recordOutcome(store, id, ordinal, branch, draw.status, draw.passed);
    }

    /** Asks again for what did not pass, and records what comes then of branch 1, ordinal by ordinal. */
    private void again(String id, Draw... drawn) {
        SampleCampaign.rerun(store, id, FAILED);
        for (int ordinal = 0; ordinal < drawn.length; ordinal++) {
            if (isOpen(id, ordinal, 1)) {
                record(id, ordinal, 1, drawn[ordinal]);
            }
        }
    }

    private boolean isOpen(String id, int ordinal, int branch) {
        return store.count(
                        "SELECT count(*) FROM outcome WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?",
                        id,
                        ordinal,
                        branch)
                == 0;
    }

    @Test
    void shouldFindTheFirstDrawThatPassedOrFailed() {
        String id = campaign();
        Draw[] first = {Draw.FAILED, Draw.TIMED_OUT, Draw.UNANSWERED, Draw.UNSCORED, Draw.PASSED, Draw.CUT};
        for (int ordinal = 0; ordinal < TRIALS; ordinal++) {
            record(id, ordinal, 1, first[ordinal]);
        }
        store.execute("UPDATE outcome SET score = 0.25 WHERE campaign_id = ? AND ordinal = 0", id);

        assertThat(draws.of(get(id))).isSameAs(Draws.ONCE);
        again(id, Draw.FAILED, Draw.FAILED, Draw.TIMED_OUT, Draw.PASSED, Draw.FAILED, Draw.UNANSWERED);
        assertThat(draws.of(get(id)).redraws())
                .as("the second draw is the first one that counts where an error was drawn again")
                .containsExactlyInAnyOrder(new Redraw(1, 0, false, 0.25), new Redraw(1, 5, false, null));

        again(id, Draw.PASSED, Draw.PASSED, Draw.PASSED, Draw.PASSED, Draw.PASSED, Draw.PASSED);

        assertThat(draws.of(get(id)))
                .isEqualTo(new Draws(
                        List.of(
                                new Redraw(1, 0, false, 0.25),
                                new Redraw(1, 1, false, null),
                                new Redraw(1, 5, false, null)),
                        0));
    }

    @Test
    void shouldForgetEarlierDrawsOfTheBranchesThatAWholeRerunAsksAgain() {
        String id = campaign();
        record(id, 0, 0, Draw.FAILED);
        record(id, 0, 1, Draw.FAILED);
        SampleCampaign.rerun(store, id, FAILED);
        record(id, 0, 0, Draw.PASSED);
        record(id, 0, 1, Draw.PASSED);
        assertThat(draws.of(get(id)).redraws()).hasSize(2);

        SampleCampaign.rerun(store, id, Rerun.whole(List.of("branch-1")));
        assertThat(draws.of(get(id))).isEqualTo(new Draws(List.of(new Redraw(0, 0, false, null)), 1));

        record(id, 0, 1, Draw.CUT);
        SampleCampaign.rerun(store, id, FAILED);
        record(id, 0, 1, Draw.PASSED);
        assertThat(draws.of(get(id)))
                .as("draws since the whole re-run count again")
                .isEqualTo(new Draws(List.of(new Redraw(0, 0, false, null), new Redraw(1, 0, false, null)), 1));
    }

    /**
     * Random draws and re-runs, whole ones and open ones too: the counters with their corrections are those of the evidence.
     */
    @Test
    void shouldCorrectTheCountersToWhatARecountOfFirstDrawsSays() {
        Random random = new Random(28);
        for (int round = 0; round < 12; round++) {
            String id = campaign();
            fill(id, random);
            for (int rerun = 0; rerun < 3; rerun++) {
                SampleCampaign.rerun(store, id, random.nextInt(5) == 0 ? Rerun.whole(List.of("branch-1")) : FAILED);
                if (rerun < 2 || round % 2 == 0) {
                    fill(id, random);
                }
            }
            progress.recount(id);

            List<BranchCounters> counters = progress.find(id).orElseThrow().branches();
            for (int branch = 0; branch < 2; branch++) {
                for (ErrorTreatment errors : ErrorTreatment.values()) {
                    check(counters.get(branch), evidence(id, branch, errors), errors);
                }
            }
        }
    }

    private void fill(String id, Random random) {
        Draw[] all = Draw.values();
        for (int ordinal = 0; ordinal < TRIALS; ordinal++) {
            for (int branch = 0; branch < 2; branch++) {
                if (isOpen(id, ordinal, branch)) {
                    record(id, ordinal, branch, all[random.nextInt(all.length)]);
                }
            }
        }
    }

    private BranchEvidence evidence(String id, int branch, ErrorTreatment errors) {
        StoredCampaign campaign = get(id);
        EvidenceTally tally =
                new EvidenceTally(campaign.grid(), errors, draws.of(campaign).ofBranch(branch));
        for (Map<String, @Nullable Object> row : store.query(
                "SELECT ordinal, status, passed, error_code FROM outcome WHERE campaign_id = ? AND branch_index = ?",
                id,
                branch)) {
            OutcomeStatus status = OutcomeStatus.valueOf(String.valueOf(row.get("status")));
            Object code = row.get("error_code");
            ErrorCode error = code == null ? null : ErrorCode.valueOf(code.toString());
            TrialVerdict verdict = TrialVerdict.ofStored(status, (Boolean) row.get("passed"), error);
            tally.add(Integer.parseInt(String.valueOf(row.get("ordinal"))), status, verdict);
        }
        return new BranchEvidence(tally.cases(), errors, null);
    }

    private static void check(BranchCounters counters, BranchEvidence evidence, ErrorTreatment errors) {
        List<CaseCounts> counts = evidence.counts();
        assertThat(counters.passedFirst()).isEqualTo(evidence.sum(CaseEvidence::passed));
        assertThat(counters.known(errors))
                .as("%s of %s", errors, evidence)
                .isEqualTo(counts.stream().mapToInt(CaseCounts::known).sum());
    }

    @Test
    void shouldNameTheSameErrorsOfTheProviderAsTheDomain() {
        List<String> named = Pattern.compile("'((?:PROVIDER|BATCH)_\\w+)'")
                .matcher(OutcomeColumns.IS_UNANSWERED)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ErrorCode.values())
                        .filter(ErrorCode::isOfProvider)
                        .map(Enum::name)
                        .toList());
    }
}

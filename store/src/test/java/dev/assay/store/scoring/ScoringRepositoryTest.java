package dev.assay.store.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.ScoringReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.store.scoring.ScoringRepository.Piece;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The copies of the answers that scorings judge. */
@StoreTest
final class ScoringRepositoryTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final SampleCampaign sample = new SampleCampaign("scored-" + NUMBER.incrementAndGet(), 2, 2, 2);
    private final StoreFixture store;
    private final CampaignRepository campaigns;
    private final ScoringRepository scorings;
    private final RemovalRepository removal;
    private final String first = sample.name();
    private final String scoring = "scoring-of-" + first;

    ScoringRepositoryTest(
            StoreFixture store, CampaignRepository campaigns, ScoringRepository scorings, RemovalRepository removal) {
        this.store = store;
        this.campaigns = campaigns;
        this.scorings = scorings;
        this.removal = removal;
    }

    /** Four trials, each with an outcome of two branches. */
    @BeforeEach
    void record() {
        campaigns.create(first, sample.submission());
        for (int ordinal = 0; ordinal < 4; ordinal++) {
            sample.recordOutcome(store, first, ordinal, 0, "COMPLETED", ordinal % 2 == 0);
            sample.recordOutcome(store, first, ordinal, 1, "TIMED_OUT", false);
        }
        store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", first);
    }

    private void create() {
        StoredCampaign of = campaigns.required(first);
        CampaignSubmission submission = ScoringReader.read(
                Json.tree("{\"keepChecks\": true, \"name\": \"" + scoring + "\"}"),
                of.definition(),
                sample.submission().suite(),
                null);
        scorings.create(scoring, of, List.of(0, 1), submission, SubmissionOrigin.UNKNOWN);
    }

    private long waiting() {
        return store.count("SELECT count(*) FROM ungraded_outcome WHERE campaign_id = ?", scoring);
    }

    private boolean awaitsAnswers() {
        return campaigns.required(scoring).awaitsAnswers();
    }

    @Test
    void shouldGoOnWhereItStoppedWhenACopyWasCutOff() {
        create();

        assertThat(awaitsAnswers()).isTrue();
        assertThat(scorings.copy(scoring, 1)).isEqualTo(Piece.COPIED);
        assertThat(waiting()).isEqualTo(2);
        assertThat(scorings.copy(scoring, 2)).isEqualTo(Piece.COPIED);
        assertThat(awaitsAnswers()).isTrue();
        assertThat(scorings.copy(scoring, 2)).isEqualTo(Piece.WHOLE);
        assertThat(waiting()).isEqualTo(8);
        assertThat(awaitsAnswers()).isFalse();
        assertThat(scorings.copy(scoring, 2)).as("a second server").isEqualTo(Piece.WHOLE);
        assertThat(waiting()).isEqualTo(8);
    }

    @Test
    void shouldKeepTheAnswersOfADeletedCampaignUntilTheyAreCopied() {
        create();
        scorings.copy(scoring, 1);

        removal.begin(first);

        assertThat(removal.begun()).doesNotContain(first);
        assertThat(scorings.isBeingCopied(first)).isTrue();
        scorings.copy(scoring, 10);
        assertThat(waiting()).isEqualTo(8);
        assertThat(scorings.isBeingCopied(first)).isFalse();
        assertThat(removal.begun()).contains(first);
    }

    @Test
    void shouldCopyTheFirstScoredDrawWhenACellWasAskedAgain() {
        SampleCampaign.rerun(store, first, new Rerun(Rerun.Only.FAILED, List.of(), List.of()));
        sample.recordOutcome(store, first, 1, 0, "COMPLETED", true);
        store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", first);
        create();

        scorings.copy(scoring, 10);

        assertThat(store.query(
                                "SELECT ordinal, outcome ->> 'origin_draw' AS draw, outcome ->> 'passed_before' AS"
                                    + " passed FROM ungraded_outcome WHERE campaign_id = ? AND branch_index = 0 ORDER"
                                    + " BY ordinal",
                                scoring)
                        .toString())
                .contains("ordinal=1, draw=0, passed=false");
        assertThat(store.count("SELECT draw_number(?, 1, 0)", first))
                .as("the draw in force")
                .isEqualTo(1);
    }

    @Test
    void shouldHaveEachAnswerOnceInTheViewEvidence() {
        create();
        scorings.copy(scoring, 10);
        store.execute(
                "INSERT INTO outcome SELECT (jsonb_populate_record(NULL::outcome, outcome)).* FROM ungraded_outcome"
                        + " WHERE campaign_id = ?",
                scoring);
        String evidence = "SELECT count(*) FROM evidence WHERE campaign_id = ?";

        assertThat(store.count("SELECT count(*) FROM results WHERE campaign_id = ?", scoring))
                .isEqualTo(8);
        assertThat(store.count(evidence, scoring)).isZero();
        assertThat(store.count(evidence, first)).isEqualTo(8);

        removal.begin(first);
        assertThat(store.count(evidence, scoring))
                .as("the first record is gone")
                .isEqualTo(8);
        assertThat(store.count(evidence, first)).isZero();
    }

    @Test
    void shouldRefuseACampaignThatGoesOn() {
        store.execute("UPDATE campaign SET state = 'RUNNING' WHERE campaign_id = ?", first);

        assertThatThrownBy(this::create)
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("score it when it has ended");
        assertThat(campaigns.find(scoring)).isEmpty();
    }
}

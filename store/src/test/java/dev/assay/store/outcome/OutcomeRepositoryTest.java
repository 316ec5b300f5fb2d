package dev.assay.store.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.Outcomes;
import dev.assay.store.Campaigns;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@StoreTest
final class OutcomeRepositoryTest {

    private static final List<String> STATUSES =
            List.of("COMPLETED", "LIMIT", "LIMIT", "MODEL_ERROR", "TIMED_OUT", "CANCELLED", "BUDGET_SKIPPED");

    private final StoreFixture store;
    private final OutcomeRepository outcomes;

    OutcomeRepositoryTest(StoreFixture store, OutcomeRepository outcomes) {
        this.store = store;
        this.outcomes = outcomes;
    }

    @Test
    void shouldSayOfWhichTrialsABranchHasNothingThatCanBeChosen() {
        String campaign = Campaigns.running(store, "unanswered");
        SampleCampaign sample = new SampleCampaign("unanswered", STATUSES.size(), 2, 1);
        for (int ordinal = 0; ordinal < STATUSES.size(); ordinal++) {
            sample.recordOutcome(store, campaign, ordinal, 0, STATUSES.get(ordinal), null);
        }
        say(campaign, 1, "Paris, and then");
        say(campaign, 2, "\u00a0\n");
        List<Integer> all = IntStream.range(0, STATUSES.size()).boxed().toList();

        assertThat(outcomes.unanswered(campaign, 0, all))
                .as("a limit that ended a branch before it said anything counts; a trial without an outcome does not")
                .containsExactly(2, 3, 4, 5, 6)
                .isEqualTo(notSelectable(campaign, all));
        assertThat(outcomes.unanswered(campaign, 0, List.of(0, 3))).containsExactly(3);
        assertThat(outcomes.unanswered(campaign, 1, all)).isEmpty();
    }

    @Test
    void shouldSayHowManyBytesGradersAndJudgesRead() {
        String campaign = Campaigns.running(store, "octets");
        SampleCampaign sample = new SampleCampaign("octets", 4, 2, 1);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            sample.recordOutcome(store, campaign, ordinal, 0, "COMPLETED", null);
            sample.recordOutcome(store, campaign, ordinal, 1, "COMPLETED", null);
        }
        say(campaign, 0, "é".repeat(1_000));
        say(campaign, 1, "");
        say(campaign, 2, "r".repeat(100_000));
        store.execute("""
            WITH gone AS (DELETE FROM outcome WHERE campaign_id = ? AND ordinal = 2 AND branch_index = 0 RETURNING *)
            INSERT INTO ungraded_outcome SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) FROM gone\
            """, campaign);

        Map<Integer, Long> octets = outcomes.octets(campaign, List.of(0, 1, 2, 3));

        assertThat(octets).containsOnlyKeys(0, 1, 2).containsEntry(0, 4_000L).containsEntry(1, 0L);
        assertThat(octets.get(2)).as("what waits for grades is whole").isBetween(200_000L, 210_000L);
        assertThat(outcomes.octets(campaign, List.of(3))).isEmpty();
    }

    private void say(String campaign, int ordinal, String response) {
        store.execute(
                "UPDATE outcome SET response = ? WHERE campaign_id = ? AND ordinal = ?", response, campaign, ordinal);
    }

    private Set<Integer> notSelectable(String campaign, List<Integer> ordinals) {
        Set<Integer> ends = new TreeSet<>();
        outcomes.forSelection(campaign, ordinals, false).values().stream()
                .flatMap(List::stream)
                .filter(outcome -> !Outcomes.isSelectable(outcome))
                .map(Outcome::ordinal)
                .forEach(ends::add);
        return ends;
    }
}

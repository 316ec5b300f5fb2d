package dev.assay.store.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.Outcomes;
import dev.assay.store.Campaigns;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import java.util.List;
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

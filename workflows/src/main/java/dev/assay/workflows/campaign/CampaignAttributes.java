package dev.assay.workflows.campaign;

import dev.assay.domain.text.Excerpt;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributeUpdate;
import io.temporal.common.SearchAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The search attributes of {@link CampaignWorkflow}. Their names and types are registered in namespaces and never change. */
public final class CampaignAttributes {

    /** The campaign. */
    public static final SearchAttributeKey<String> CAMPAIGN_ID = SearchAttributeKey.forKeyword("CampaignId");

    /** What its author calls it. */
    public static final SearchAttributeKey<String> CAMPAIGN_NAME = SearchAttributeKey.forKeyword("CampaignName");

    /** The name of its suite. */
    public static final SearchAttributeKey<String> SUITE = SearchAttributeKey.forKeyword("Suite");

    /** Its state: RUNNING, PAUSED, COMPLETED, CANCELLED, FAILED. */
    public static final SearchAttributeKey<String> PHASE = SearchAttributeKey.forKeyword("Phase");

    /** Its trials. */
    public static final SearchAttributeKey<Long> TRIALS_TOTAL = SearchAttributeKey.forLong("TrialsTotal");

    /** Trials that are done. */
    public static final SearchAttributeKey<Long> TRIALS_DONE = SearchAttributeKey.forLong("TrialsDone");

    /** Of these, the ones with a cell that ended in MODEL_ERROR or TIMED_OUT. */
    public static final SearchAttributeKey<Long> TRIALS_FAILED = SearchAttributeKey.forLong("TrialsFailed");

    /** Share of the cells with a final outcome that passed, 0–1; not set while there is none. */
    public static final SearchAttributeKey<Double> PASS_RATE = SearchAttributeKey.forDouble("PassRate");

    /** All of them. */
    public static final List<SearchAttributeKey<?>> ALL =
            List.of(CAMPAIGN_ID, CAMPAIGN_NAME, SUITE, PHASE, TRIALS_TOTAL, TRIALS_DONE, TRIALS_FAILED, PASS_RATE);

    /** Temporal refuses a value of more than 2 KB. */
    private static final int MOST_CHARACTERS = 500;

    private CampaignAttributes() {}

    /** What is known when the workflow starts. */
    public static SearchAttributes atStart(String campaignId, String name, String suite, long trialsTotal) {
        return SearchAttributes.newBuilder()
                .set(CAMPAIGN_ID, campaignId)
                .set(CAMPAIGN_NAME, Excerpt.first(name, MOST_CHARACTERS))
                .set(SUITE, Excerpt.first(suite, MOST_CHARACTERS))
                .set(PHASE, "RUNNING")
                .set(TRIALS_TOTAL, trialsTotal)
                .build();
    }

    /** What changes while the workflow runs. */
    record Counters(
            String phase,
            long trialsTotal,
            long trialsDone,
            long trialsFailed,
            @Nullable Double passRate) {

        static Counters of(Observation observation) {
            return new Counters(
                    observation.state(),
                    observation.trialsTotal(),
                    observation.trialsDone(),
                    observation.trialsFailed(),
                    observation.cellsDone() == 0 ? null : (double) observation.cellsPassed() / observation.cellsDone());
        }

        SearchAttributeUpdate<?>[] updates() {
            return new SearchAttributeUpdate<?>[] {
                PHASE.valueSet(phase),
                TRIALS_TOTAL.valueSet(trialsTotal),
                TRIALS_DONE.valueSet(trialsDone),
                TRIALS_FAILED.valueSet(trialsFailed),
                passRate == null ? PASS_RATE.valueUnset() : PASS_RATE.valueSet(passRate)
            };
        }
    }
}

package dev.assay.workflows.campaign;

import dev.assay.domain.text.Excerpt;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributeUpdate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The search attributes of {@link CampaignWorkflow}. Their names and types are registered in namespaces and never change. */
public final class CampaignAttributes {

    /** The campaign. */
    public static final SearchAttributeKey<String> CAMPAIGN_ID = SearchAttributeKey.forKeyword("CampaignId");

    /** Its name by its author. */
    public static final SearchAttributeKey<String> CAMPAIGN_NAME = SearchAttributeKey.forKeyword("CampaignName");

    /** The name of its suite. */
    public static final SearchAttributeKey<String> SUITE = SearchAttributeKey.forKeyword("Suite");

    /** Its state: RUNNING, PAUSED, COMPLETED, CANCELLED, FAILED. */
    public static final SearchAttributeKey<String> PHASE = SearchAttributeKey.forKeyword("Phase");

    /** Share of its trials that are done, 0–1. */
    public static final SearchAttributeKey<Double> PROGRESS = SearchAttributeKey.forDouble("Progress");

    /** Trials that are done and have a cell that ended in MODEL_ERROR or TIMED_OUT. The only Int: a namespace has three. */
    public static final SearchAttributeKey<Long> TRIALS_FAILED = SearchAttributeKey.forLong("TrialsFailed");

    /** Share of the cells with a final outcome that passed, 0–1; not set while there is none. */
    public static final SearchAttributeKey<Double> PASS_RATE = SearchAttributeKey.forDouble("PassRate");

    /** All of them. */
    public static final List<SearchAttributeKey<?>> ALL =
            List.of(CAMPAIGN_ID, CAMPAIGN_NAME, SUITE, PHASE, PROGRESS, TRIALS_FAILED, PASS_RATE);

    /** Attributes that earlier runs, begun before runs asked for them, set without asking: their namespaces have these. */
    static final List<String> OF_EARLIER_RUNS = List.of(PHASE.getName(), TRIALS_FAILED.getName(), PASS_RATE.getName());

    /** Temporal refuses a value of more than 2 KB. */
    private static final int MOST_CHARACTERS = 500;

    private CampaignAttributes() {}

    /** The attributes that are known when a run begins. */
    static List<SearchAttributeUpdate<?>> atStart(String campaignId, PlanActivities.Plan plan) {
        return List.of(
                CAMPAIGN_ID.valueSet(campaignId),
                CAMPAIGN_NAME.valueSet(Excerpt.first(plan.name(), MOST_CHARACTERS)),
                SUITE.valueSet(Excerpt.first(plan.suite(), MOST_CHARACTERS)),
                PHASE.valueSet("RUNNING"),
                PROGRESS.valueSet(share(plan.trialsDone(), plan.trialsTotal())));
    }

    /** The attributes by which people find what belongs to a campaign. */
    static List<SearchAttributeUpdate<?>> ofChild(String campaignId, PlanActivities.Plan plan) {
        return List.of(
                CAMPAIGN_ID.valueSet(campaignId),
                CAMPAIGN_NAME.valueSet(Excerpt.first(plan.name(), MOST_CHARACTERS)),
                SUITE.valueSet(Excerpt.first(plan.suite(), MOST_CHARACTERS)));
    }

    /** The counters that change while the workflow runs. */
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
                    observation.shownRate());
        }

        List<SearchAttributeUpdate<?>> updates() {
            return List.of(
                    PHASE.valueSet(phase),
                    PROGRESS.valueSet(share(trialsDone, trialsTotal)),
                    TRIALS_FAILED.valueSet(trialsFailed),
                    passRate == null ? PASS_RATE.valueUnset() : PASS_RATE.valueSet(passRate));
        }
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}

package dev.assay.activities.call;

import dev.assay.store.campaign.StoredCampaign;
import java.time.Duration;

/** How long cells of a campaign wait for a provider that is down. */
final class OutagePatience {

    /** A person waits for an evaluation. */
    private static final Duration OF_AN_EVALUATION = Duration.ofSeconds(60);

    private OutagePatience() {}

    /**
     * Whether its cells wait. Those of a campaign do as long as it runs: it is paused when that takes too long.
     *
     * @param age how long the provider has been down
     */
    static boolean waits(StoredCampaign campaign, Duration age) {
        Duration longest = longest(campaign);
        return !longest.isZero() && (isPausable(campaign) || age.compareTo(longest) < 0);
    }

    /** The longest outage that it waits for. */
    static Duration longest(StoredCampaign campaign) {
        Duration defined = campaign.maxOutage();
        return isPausable(campaign) || defined.compareTo(OF_AN_EVALUATION) < 0 ? defined : OF_AN_EVALUATION;
    }

    /** Whether somebody can resume it: nobody could an evaluation, or the scoring of hypotheses. */
    static boolean isPausable(StoredCampaign campaign) {
        return !campaign.isEvaluation() && !campaign.scoresHypotheses();
    }
}

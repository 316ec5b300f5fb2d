package dev.assay.domain.health;

import dev.assay.domain.text.Excerpt;
import java.time.Instant;

/**
 * The end of a campaign's workflow by an operator in Temporal.
 *
 * @param how what the operator did to it: cancelled, terminated
 * @param identity under which Temporal recorded it; empty where it recorded none
 */
public record EndInTemporal(How how, Instant at, String identity) {

    /** The act of an operator. */
    public enum How {
        CANCELLED("cancelled"),
        TERMINATED("terminated");

        private final String word;

        How(String word) {
            this.word = word;
        }
    }

    public EndInTemporal {
        identity = Excerpt.of(identity);
    }

    /** What happened and what to do, for people. */
    public String sentence(String campaignId) {
        return "Its workflow was " + how.word + " in Temporal at " + HealthCheck.SECONDS.format(at)
                + (identity.isEmpty() ? "" : " by " + identity) + "; `assay resume " + campaignId + "` goes on.";
    }
}

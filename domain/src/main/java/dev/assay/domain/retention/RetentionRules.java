package dev.assay.domain.retention;

import dev.assay.domain.campaign.CampaignState;
import java.time.Duration;
import java.util.Map;

/**
 * How long a server keeps campaigns that have ended.
 *
 * @param campaigns how long after its end a campaign is deleted, by its state; those of other states stay
 * @param ledger how long the ledger of a campaign stays when the campaign is gone, whoever deleted it
 * @param rowsPerSecond how many rows a server removes in a second, at least 100
 */
public record RetentionRules(Map<CampaignState, Duration> campaigns, Duration ledger, int rowsPerSecond) {

    /** Campaigns stay until a person deletes them. The ledger goes with its campaign. */
    public static final RetentionRules NONE = new RetentionRules(Map.of(), Duration.ZERO, 20_000);

    public RetentionRules {
        campaigns = Map.copyOf(campaigns);
        if (!campaigns.keySet().stream().allMatch(CampaignState::ended)) {
            throw new IllegalArgumentException("A campaign that has not ended is not deleted: " + campaigns);
        }
        if (campaigns.values().stream().anyMatch(age -> !age.isPositive()) || ledger.isNegative()) {
            throw new IllegalArgumentException("Not an age: " + campaigns + ", " + ledger);
        }
        if (rowsPerSecond < 100) {
            throw new IllegalArgumentException("Too few rows a second: " + rowsPerSecond);
        }
    }
}

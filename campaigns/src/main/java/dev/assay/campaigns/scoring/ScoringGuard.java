package dev.assay.campaigns.scoring;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.scoring.ScoringRepository;
import jakarta.inject.Singleton;

/** What scorings forbid: to ask their branches, and to change answers while they are copied. */
@Singleton
public final class ScoringGuard {

    private final ScoringRepository scorings;

    ScoringGuard(ScoringRepository scorings) {
        this.scorings = scorings;
    }

    /**
     * Refuses to ask branches whose answers are on record.
     *
     * @throws AssayException CONFLICT
     */
    public static void requireAnswers(StoredCampaign campaign) {
        if (campaign.purpose() instanceof StoredCampaign.Scoring(String of, var _, var _)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaign.id() + " holds answers of " + of + ": run " + of
                            + " again, or score it again");
        }
        requireNoImport(campaign);
    }

    /**
     * Refuses to go on with answers that another tool gave.
     *
     * @throws AssayException CONFLICT
     */
    public static void requireNoImport(StoredCampaign campaign) {
        if (campaign.purpose() instanceof StoredCampaign.Imported(ImportOrigin origin)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaign.id() + " holds answers of " + origin.tool()
                            + ": run it there again and import" + " its results, or score these again");
        }
    }

    /**
     * Refuses a change while answers of the campaign are copied, or those that it scores.
     *
     * @throws AssayException CONFLICT
     */
    public void requireNoCopy(StoredCampaign campaign, String participle) {
        if (campaign.awaitsAnswers() || scorings.isBeingCopied(campaign.id())) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaign.id() + " cannot be " + participle
                            + " now: answers are being copied for a scoring. Try again when it runs");
        }
    }
}

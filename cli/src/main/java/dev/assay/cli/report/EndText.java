package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.health.CampaignHealth;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The last words on a campaign: what ended it, what gave no result, and the commands that mend it. */
public final class EndText {

    private final RemoteCampaign view;
    private final UnaryOperator<String> pasted;

    /**
     * The words on one campaign as it stands.
     *
     * @param pasted makes a command one that can be pasted
     */
    public EndText(RemoteCampaign view, UnaryOperator<String> pasted) {
        this.view = view;
        this.pasted = pasted;
    }

    /** What did not give a result, and the commands that mend it: lines, of which there may be none. */
    public String misses() {
        CampaignAccount account = view.account();
        if (account == null) {
            return "";
        }
        AccountText text = new AccountText(account, view.id(), pasted);
        String skipped = text.skipped();
        return text.errors() + (skipped == null ? "" : skipped + "\n");
    }

    /** Why a campaign that is not COMPLETED does not go on, and how it does. */
    public String sentence() {
        String end = view.endInTemporal();
        if (end != null) {
            return "The campaign does not go on. " + end;
        }
        String resume = pasted.apply("assay resume " + view.id());
        return switch (view.state()) {
            case FAILED ->
                "The campaign could not go on: "
                        + (view.failureReason() == null ? "no reason is stored" : view.failureReason())
                        + ". Try again with: " + resume;
            case CANCELLED -> "The campaign was cancelled" + left() + ". Go on with: " + resume;
            case COMPLETED, PAUSED, PENDING, RUNNING -> paused(resume);
        };
    }

    /** A pause of Assay's own says why, and what was paid in vain. */
    private String paused(String resume) {
        if (view.failureReason() == null) {
            return "The campaign is paused" + left() + ". Go on with: " + resume;
        }
        return "The campaign is paused (" + cause(view.health()) + ")" + left() + ". "
                + String.join(" ", HealthText.lines(view.health(), Instant.now())) + " Go on with: " + resume;
    }

    private String left() {
        CampaignAccount account = view.account();
        return account == null || account.cells().open() == 0 ? "" : "; " + AccountText.open(account.cells());
    }

    private static CampaignHealth.Code cause(@Nullable CampaignHealth health) {
        boolean isDown = health != null
                && health.reasons().stream().anyMatch(reason -> reason.code() == CampaignHealth.Code.PROVIDER_DOWN);
        return isDown ? CampaignHealth.Code.PROVIDER_DOWN : CampaignHealth.Code.STORE_REFUSES;
    }
}

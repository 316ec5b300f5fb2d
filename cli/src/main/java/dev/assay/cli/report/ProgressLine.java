package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.rendering.Numbers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line with the progress of a campaign. */
public final class ProgressLine {

    private static final int BAR = 20;

    private ProgressLine() {}

    /** The line. */
    public static String line(RemoteCampaign view, Instant now) {
        RemoteCampaign.Progress progress = view.progress();
        long total = Math.max(progress.cellsTotal(), 0);
        long done = Math.clamp(progress.cellsDone(), 0, total);
        int filled = total == 0 ? 0 : (int) (BAR * done / total);
        return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] "
                + Numbers.count(done) + "/" + Numbers.count(total) + " cells"
                + "  passed " + Numbers.percent(view.shownPassRate())
                + (progress.cellsNotNeeded() == 0 ? "" : "  not needed " + Numbers.count(progress.cellsNotNeeded()))
                + missed(view.account())
                + "  cost " + Numbers.cost(view.costUsd())
                + "  " + remaining(progress, view.account(), now);
    }

    /** What did not give a result. */
    private static String missed(@Nullable CampaignAccount account) {
        if (account == null) {
            return "";
        }
        long skipped = account.cells().skipped();
        long errors =
                account.branches().stream().mapToLong(BranchStanding::errors).sum();
        return (skipped == 0 ? "" : "  skipped " + Numbers.count(skipped))
                + (errors == 0 ? "" : "  errors " + Numbers.count(errors));
    }

    private static String remaining(RemoteCampaign.Progress progress, @Nullable CampaignAccount account, Instant now) {
        if (progress.cellsTotal() <= progress.cellsDone()) {
            return progress.trialsDone() < progress.trialsTotal() ? "choosing winners" : "done";
        }
        // A server of an earlier build has no account.
        return account == null ? "ETA " + Numbers.UNKNOWN : AccountText.eta(account, now);
    }
}

package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.rendering.Numbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line with the progress of a campaign. */
public final class ProgressLine {

    private static final int BAR = 20;

    private ProgressLine() {}

    /** The line. */
    public static String line(RemoteCampaign view, Instant now) {
        List<String> parts = parts(view, now);
        return parts.getFirst() + " " + String.join("  ", parts.subList(1, parts.size()));
    }

    /** Its parts, of which none should be broken: the bar, and what it means. */
    public static List<String> parts(RemoteCampaign view, Instant now) {
        RemoteCampaign.Progress progress = view.progress();
        long total = Math.max(progress.cellsTotal(), 0);
        long done = Math.clamp(progress.cellsDone(), 0, total);
        int filled = total == 0 ? 0 : (int) (BAR * done / total);
        List<String> parts = new ArrayList<>();
        parts.add("[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "]");
        parts.add(Numbers.count(done) + "/" + Numbers.count(total) + " cells");
        parts.add("passed " + Numbers.percent(view.shownPassRate()));
        if (progress.cellsNotNeeded() > 0) {
            parts.add("not needed " + Numbers.count(progress.cellsNotNeeded()));
        }
        parts.addAll(missed(view.account()));
        if (view.account() != null) {
            parts.addAll(AccountText.out(view.account()));
        }
        parts.add("cost " + Numbers.cost(view.costUsd()));
        parts.add(remaining(progress, view.account(), now));
        return parts;
    }

    /** What did not give a result. */
    private static List<String> missed(@Nullable CampaignAccount account) {
        if (account == null) {
            return List.of();
        }
        long skipped = account.cells().skipped();
        long errors =
                account.branches().stream().mapToLong(BranchStanding::errors).sum();
        List<String> parts = new ArrayList<>();
        if (skipped > 0) {
            parts.add("skipped " + Numbers.count(skipped));
        }
        if (errors > 0) {
            parts.add("errors " + Numbers.count(errors));
        }
        return parts;
    }

    private static String remaining(RemoteCampaign.Progress progress, @Nullable CampaignAccount account, Instant now) {
        if (progress.cellsTotal() <= progress.cellsDone()) {
            return progress.trialsDone() < progress.trialsTotal() ? "choosing winners" : "done";
        }
        // A server of an earlier build has no account.
        return account == null ? "ETA " + Numbers.UNKNOWN : AccountText.eta(account, now);
    }
}

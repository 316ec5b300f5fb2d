package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.rendering.Numbers;
import java.time.Duration;
import java.time.Instant;

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
                + "  cost " + Numbers.cost(view.costUsd())
                + "  " + remaining(progress, now);
    }

    private static String remaining(RemoteCampaign.Progress progress, Instant now) {
        if (progress.cellsTotal() <= progress.cellsDone()) {
            return progress.trialsDone() < progress.trialsTotal() ? "choosing winners" : "done";
        }
        Instant eta = progress.eta();
        if (eta == null) {
            return "ETA " + Numbers.UNKNOWN;
        }
        // The clock of the server may be another.
        return "ETA " + Numbers.duration(now.isBefore(eta) ? Duration.between(now, eta) : Duration.ZERO);
    }
}

package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.rendering.Numbers;
import java.time.Duration;

/** One line with the progress of a campaign. */
public final class ProgressLine {

    private static final int BAR = 20;

    private ProgressLine() {}

    /**
     * The line.
     *
     * @param elapsed since this command began to follow it
     * @param doneBefore cells that were done by then; the rate is that of the others
     */
    public static String line(RemoteCampaign view, Duration elapsed, long doneBefore) {
        RemoteCampaign.Progress progress = view.progress();
        long total = Math.max(progress.cellsTotal(), 0);
        long done = Math.clamp(progress.cellsDone(), 0, total);
        int filled = total == 0 ? 0 : (int) (BAR * done / total);
        return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] "
                + Numbers.count(done) + "/" + Numbers.count(total) + " cells"
                + "  passed " + Numbers.percent(view.shownPassRate())
                + (progress.cellsNotNeeded() == 0 ? "" : "  not needed " + Numbers.count(progress.cellsNotNeeded()))
                + "  cost " + Numbers.cost(view.costUsd())
                + "  " + remaining(progress, elapsed, doneBefore);
    }

    private static String remaining(RemoteCampaign.Progress progress, Duration elapsed, long doneBefore) {
        long doneSince = progress.cellsDone() - doneBefore;
        long left = progress.cellsTotal() - progress.cellsDone();
        if (left <= 0) {
            return progress.trialsDone() < progress.trialsTotal() ? "choosing winners" : "done";
        }
        if (doneSince <= 0 || elapsed.isZero()) {
            return "ETA " + Numbers.UNKNOWN;
        }
        return "ETA " + Numbers.duration(Duration.ofMillis((long) ((double) elapsed.toMillis() * left / doneSince)));
    }
}

package dev.assay.workflows.campaign;

import dev.assay.workflows.evaluation.Pace;
import java.util.Locale;

/** Progress as the Temporal UI shows it: Markdown. */
final class ProgressText {

    private ProgressText() {}

    /** A table of what {@code progress} and {@code pace} say. */
    static String table(CampaignProgress progress, Pace pace) {
        return """
            | | |
            |---|---|
            | Phase | %s |
            | Trials done | %d of %d |
            | Slices | %d done, %d running |
            | Epoch | %d |
            | Mean time of a cell | %s |
            """.formatted(
                        progress.phase(),
                        progress.trialsDone(),
                        progress.trialsTotal(),
                        progress.slicesDone(),
                        progress.slicesRunning(),
                        progress.epoch(),
                        meanTime(pace));
    }

    private static String meanTime(Pace pace) {
        return pace.cells() == 0
                ? "not measured yet"
                : String.format(Locale.ROOT, "%.2f s", pace.seconds() / pace.cells());
    }
}

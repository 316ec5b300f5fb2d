package dev.assay.workflows.campaign;

import dev.assay.workflows.campaign.Observation.BranchCounts;
import dev.assay.workflows.slice.Pace;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Progress as the Temporal UI shows it: Markdown. */
final class ProgressText {

    private static final String UNKNOWN = "–";
    private static final String NO_BREAK_SPACE = "\u00a0";

    private ProgressText() {}

    /** The text of {@code progress} and {@code pace}, with a table of the branches when the campaign was observed. */
    static String of(CampaignProgress progress, Pace pace) {
        Observation observed = progress.observed();
        return spaced(
                observed == null ? workflow(progress, pace) : campaign(observed) + "\n" + workflow(progress, pace));
    }

    /** The pages draw the cells of a table side by side with nothing between them, and drop ordinary spaces. */
    private static String spaced(String tables) {
        return tables.replace(" |", NO_BREAK_SPACE + "|").replace("| ", "|" + NO_BREAK_SPACE);
    }

    private static String campaign(Observation observed) {
        StringBuilder text = new StringBuilder("**%s** · %d of %d trials done, %d with an error · health **%s**\n"
                .formatted(
                        observed.state(),
                        observed.trialsDone(),
                        observed.trialsTotal(),
                        observed.trialsFailed(),
                        observed.health()));
        observed.reasons().forEach(reason -> text.append("\n- ").append(reason));
        text.append("\n\n| Branch | Done | Passed | Errors | Wins | Cost |\n|---|---:|---:|---:|---:|---:|\n");
        for (BranchCounts branch : observed.branches()) {
            text.append("| %s | %d of %d | %s | %d | %d | %s |\n"
                    .formatted(
                            branch.branchId().replace("|", "\\|"),
                            branch.cellsDone(),
                            observed.trialsTotal(),
                            passed(branch),
                            branch.cellsFailed(),
                            branch.wins(),
                            cost(branch.costUsd())));
        }
        int leftOut = observed.branchesTotal() - observed.branches().size();
        return leftOut > 0
                ? text.append("\nand %d more branches\n".formatted(leftOut)).toString()
                : text.toString();
    }

    private static String workflow(CampaignProgress progress, Pace pace) {
        return """
            | | |
            |---|---|
            | Phase | %s |
            | Trials done at the last plan | %d of %d |
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

    private static String passed(BranchCounts branch) {
        Double rate = branch.shownRate();
        return rate == null ? UNKNOWN : String.format(Locale.ROOT, "%d (%.1f %%)", branch.cellsPassed(), 100.0 * rate);
    }

    private static String cost(@Nullable BigDecimal costUsd) {
        return costUsd == null ? UNKNOWN : "$" + costUsd.stripTrailingZeros().toPlainString();
    }

    private static String meanTime(Pace pace) {
        return pace.cells() == 0
                ? "not measured yet"
                : String.format(Locale.ROOT, "%.2f s", pace.seconds() / pace.cells());
    }
}

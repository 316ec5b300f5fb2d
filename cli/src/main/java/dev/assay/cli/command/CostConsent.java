package dev.assay.cli.command;

import dev.assay.domain.campaign.CampaignSubmission;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Option;

/** Warns of campaigns that make many paid calls (semantics B). */
public final class CostConsent {

    private static final long MANY_CELLS = 100;

    @Option(names = "--yes", description = "Do not ask before a campaign of 100 or more paid answers.")
    private boolean yes;

    /** Whether the campaign may run. Asks only a person at a terminal, and never with {@code --yes}. */
    boolean given(CampaignSubmission submission, PrintWriter err) {
        long cells = CampaignCheck.cells(submission);
        if (cells < MANY_CELLS || !CampaignCheck.isPaidFor(submission)) {
            return true;
        }
        err.println("EVAL_COST_WARNING: " + CampaignCheck.size(submission) + ", each with a paid answer or more.");
        err.flush();
        Console console = Objects.requireNonNull(System.console(), "Java 22 and newer always have a console");
        if (yes || !Terminal.isInteractive() || !console.isTerminal()) {
            return true;
        }
        err.print("Go on? [y/N] ");
        err.flush();
        String answer = console.readLine();
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}

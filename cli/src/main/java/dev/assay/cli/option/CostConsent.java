package dev.assay.cli.option;

import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.campaignfile.CampaignSubmission;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Warns of campaigns with many cells and judge calls, and asks before many paid calls (semantics B). */
public final class CostConsent {

    private static final long MANY_CALLS = 100;

    @Option(names = "--yes", description = "Do not ask before a campaign of 100 or more paid answers.")
    private boolean yes;

    /** Whether the campaign may run. Asks only a person at a terminal, and never with {@code --yes}. */
    public boolean given(CampaignSubmission submission, PrintWriter err) {
        CampaignSize size = new CampaignSize(submission);
        if (size.cells() + size.judgeCalls() < MANY_CALLS) {
            return true;
        }
        boolean paid = size.isPaidFor();
        err.println("EVAL_COST_WARNING: " + size.text()
                + (paid ? ", each with a paid answer or more." : ", none of them paid for."));
        err.flush();
        if (!paid || yes || !Terminal.isInteractive() || !Terminal.canAsk()) {
            return true;
        }
        return Terminal.agrees("Go on?", err);
    }
}

package dev.assay.cli.option;

import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.report.CostWarning;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Warns of campaigns with many cells and judge calls, and asks before many paid calls (semantics B). */
public final class CostConsent {

    private static final String VARIABLE = "ASSAY_COST_WARNING";

    @Option(names = "--yes", description = "Do not ask before a campaign of 100 or more paid answers.")
    private boolean yes;

    /**
     * Whether the campaign may run. Asks a person at a terminal only, and never with {@code --yes}.
     *
     * @throws AssayException INVALID_INPUT when {@code ASSAY_COST_WARNING} is no number of calls
     */
    public boolean given(CampaignSize size, PrintWriter err) {
        if (!size.isDueFrom(from(System.getenv(VARIABLE)))) {
            return true;
        }
        err.println(size.warning());
        err.flush();
        if (!size.isPaidFor() || yes || !Terminal.isInteractive() || !Terminal.canAsk()) {
            return true;
        }
        return Terminal.agrees("Go on?", err);
    }

    /** The number of calls from which on there is a warning. */
    static long from(@Nullable String variable) {
        if (variable == null || variable.isBlank()) {
            return CostWarning.DEFAULT_FROM;
        }
        if (!variable.strip().matches("[1-9][0-9]{0,17}")) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    VARIABLE + " must be a whole number of calls, at least 1, but is " + variable.strip());
        }
        return Long.parseLong(variable.strip());
    }
}

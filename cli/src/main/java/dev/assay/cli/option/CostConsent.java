package dev.assay.cli.option;

import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.report.CostWarning;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Warns of campaigns with many cells and judge calls, and asks before many paid calls (docs/fastskill.md). */
public final class CostConsent {

    private static final String VARIABLE = "ASSAY_COST_WARNING";

    @Option(names = "--yes", description = "Do not ask before a campaign of 100 or more paid answers.")
    private boolean yes;

    /**
     * Says what will happen, and whether the campaign may run. Asks a person at a terminal only, and never with {@code --yes}.
     *
     * @throws AssayException INVALID_INPUT when {@code ASSAY_COST_WARNING} is no number of calls
     */
    public boolean given(CampaignSize size, PrintWriter err) {
        if (isDue(size)) {
            return agreed(CostWarning.CODE + ": " + size.calls(), err);
        }
        err.println(size.calls());
        err.flush();
        return true;
    }

    /**
     * Whether there is a warning of the campaign: it has many calls, and some of them may be paid for.
     *
     * @throws AssayException INVALID_INPUT when {@code ASSAY_COST_WARNING} is no number of calls
     */
    public boolean isDue(CampaignSize size) {
        return size.isDueFrom(from(System.getenv(VARIABLE))) && size.isPaidFor();
    }

    /**
     * Whether all cells of branches may be asked again.
     *
     * @param isPaidFor whether any of them may cost money
     * @throws AssayException INVALID_INPUT when {@code ASSAY_COST_WARNING} is no number of calls
     */
    public boolean givenAgain(long cells, boolean isPaidFor, PrintWriter err) {
        String what = String.format(
                Locale.ROOT, "%,d cells are asked again, and judged and graded again where they were", cells);
        if (isPaidFor && new CostWarning(cells, 0).isDueFrom(from(System.getenv(VARIABLE)))) {
            return agreed(CostWarning.CODE + ": " + what + ". Each may cost money.", err);
        }
        err.println(what + (isPaidFor ? "." : ": nothing is paid."));
        err.flush();
        return true;
    }

    private boolean agreed(String warning, PrintWriter err) {
        err.println(warning);
        err.flush();
        return yes || !Terminal.isInteractive() || !Terminal.canAsk() || Terminal.agrees("Go on?", err);
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

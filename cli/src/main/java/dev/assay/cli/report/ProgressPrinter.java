package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.terminal.TerminalWriter;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The printer of progress on stderr: one line that is written over on a terminal, else a line about every ten seconds. */
public final class ProgressPrinter {

    private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(10);

    private final PrintWriter out;
    private final boolean terminal;
    private final String name;
    private Duration lastPrinted = Duration.ZERO;
    private int lastLength;
    private String lastLine = "";
    private @Nullable Code lastCode;

    /**
     * A printer for one campaign.
     *
     * @param terminal whether lines can be written over
     * @param name what each line begins with; empty where it is the only campaign
     */
    public ProgressPrinter(PrintWriter out, boolean terminal, String name) {
        this.out = out;
        this.terminal = terminal;
        this.name = name;
    }

    /** Shows the progress of the campaign, unless it was shown a moment ago, and each new reason to wait once. */
    public void show(RemoteCampaign view, Duration elapsed) {
        showHealth(view.health());
        if (terminal) {
            overwrite(line(view));
        } else if (elapsed.minus(lastPrinted).compareTo(PLAIN_INTERVAL) >= 0) {
            lastPrinted = elapsed;
            print(line(view));
        }
    }

    private String line(RemoteCampaign view) {
        return name + ProgressLine.line(view, Instant.now());
    }

    private void showHealth(@Nullable CampaignHealth health) {
        if (health == null || health.status() == CampaignHealth.Status.OK) {
            lastCode = null;
            return;
        }
        Reason first = health.reasons().getFirst();
        if (first.code() != lastCode) {
            lastCode = first.code();
            String line = name + HealthText.line(health.status(), first, Instant.now());
            if (terminal) {
                overwrite(line);
                out.println();
                lastLength = 0;
            } else {
                print(line);
            }
        }
    }

    /** Shows the last state and leaves the line. */
    public void end(RemoteCampaign view) {
        String line = line(view);
        if (terminal) {
            overwrite(line);
            out.println();
            out.flush();
        } else if (!line.equals(lastLine)) {
            print(line);
        }
    }

    private void overwrite(String line) {
        if (out instanceof TerminalWriter screen) {
            screen.rewind();
        }
        out.print(line + " ".repeat(Math.max(0, lastLength - line.length())));
        out.flush();
        lastLength = line.length();
    }

    private void print(String line) {
        out.println(line);
        out.flush();
        lastLine = line;
    }
}

package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The printer of progress on stderr where there is no terminal: a line about every ten seconds. */
public final class ProgressPrinter {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final PrintWriter out;
    private final String name;
    private Duration lastPrinted = Duration.ZERO;
    private String lastLine = "";
    private @Nullable Code lastCode;
    private boolean saidOut;

    /**
     * A printer for one campaign.
     *
     * @param name what each line begins with; empty where it is the only campaign
     */
    public ProgressPrinter(PrintWriter out, String name) {
        this.out = out;
        this.name = name;
    }

    /** Shows the progress of the campaign, unless it was shown a moment ago, and each new reason to wait once. */
    public void show(RemoteCampaign view, Duration elapsed) {
        showHealth(view.health());
        showOut(view);
        if (elapsed.minus(lastPrinted).compareTo(INTERVAL) >= 0) {
            lastPrinted = elapsed;
            print(line(view));
        }
    }

    private String line(RemoteCampaign view) {
        return name + ProgressLine.line(view, Instant.now());
    }

    /** Says once that nothing here is needed for cells that are out. */
    private void showOut(RemoteCampaign view) {
        boolean isHandedOver = view.account() != null
                && view.account().health().reasons().stream()
                        .anyMatch(reason -> reason.code() == Code.BATCH_OUT && reason.until() != null);
        if (!saidOut && isHandedOver) {
            saidOut = true;
            print(name
                    + "Cells are out in a batch, which goes on with its provider while nothing runs here. `assay"
                    + " resume "
                    + view.id() + "`, or a server that stays (`assay up`), collects it.");
        }
    }

    private void showHealth(@Nullable CampaignHealth health) {
        if (health == null || health.status() == CampaignHealth.Status.OK) {
            lastCode = null;
            return;
        }
        Reason first = health.reasons().getFirst();
        if (first.code() != lastCode) {
            lastCode = first.code();
            print(name + HealthText.line(health.status(), first, Instant.now()));
        }
    }

    /** Shows the last state. */
    public void end(RemoteCampaign view) {
        String line = line(view);
        if (!line.equals(lastLine)) {
            print(line);
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
        lastLine = line;
    }
}

package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.report.ErrorTable;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ProgressPrinter;
import dev.assay.cli.report.ResultTable;
import dev.assay.cli.report.UnmappedChecks;
import dev.assay.cli.report.run.RunOrigin;
import dev.assay.cli.report.run.RunReports;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The follower of one campaign to its end. It shows the result, and returns the exit code. */
final class CampaignFollower {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(50);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SERVER_ERRORS = 500;

    private final ApiSession session;
    private final AssayApi api;
    private final CommonOptions common;
    private final ResultOptions options;
    private final UnmappedChecks unmapped;
    private final RemoteCampaign first;
    private final RunReports reports;
    private final long start = System.nanoTime();

    CampaignFollower(ApiSession session, CommonOptions common, ResultOptions options, RemoteCampaign first) {
        this(session, common, options, first, RunOrigin.NONE, UnmappedChecks.NONE);
    }

    /**
     * @param first the campaign as it is now
     * @param origin the request of the run, for its summary
     * @param unmapped the checks that its file lost
     */
    CampaignFollower(
            ApiSession session,
            CommonOptions common,
            ResultOptions options,
            RemoteCampaign first,
            RunOrigin origin,
            UnmappedChecks unmapped) {
        this.first = first;
        this.unmapped = unmapped;
        this.session = session;
        this.api = session.api();
        this.common = common;
        this.options = options;
        this.reports = new RunReports(api, first, options.reports().places(), origin, common.err());
    }

    /** Makes Ctrl-C pause the campaign and say how to resume it; a second Ctrl-C leaves at once. */
    void pauseOnInterrupt() {
        Interrupts.onFirst(
                () -> {
                    common.err().println();
                    common.err().println(pause(first.id()));
                    common.err().flush();
                    session.close();
                },
                session::abandon);
    }

    private String pause(String id) {
        try {
            api.act(id, "pause");
            return "Paused. Go on with: assay resume " + id;
        } catch (AssayException e) {
            return e.code() == ErrorCode.CONFLICT
                    ? e.getMessage() + "; see it with: assay show " + id
                    : "The campaign could not be paused: " + e.getMessage() + ". Go on with: assay resume " + id;
        }
    }

    /**
     * Follows the campaign until it ends, is paused by another command, or an operator ends its workflow.
     *
     * @return how it stands then
     */
    RemoteCampaign follow() {
        ProgressPrinter printer = new ProgressPrinter(common.err(), Terminal.isInteractive());
        RemoteCampaign view = first;
        Duration wait = SHORTEST_POLL;
        while (!view.state().ended() && view.state() != CampaignState.PAUSED && view.endInTemporal() == null) {
            printer.show(view, elapsed());
            reports.follow();
            sleep(wait);
            wait = wait.multipliedBy(2).compareTo(LONGEST_POLL) < 0 ? wait.multipliedBy(2) : LONGEST_POLL;
            view = patiently(() -> api.campaign(first.id()));
        }
        Interrupts.stayIfInterrupted();
        printer.end(view);
        return view;
    }

    /** Asks again while a server or a database restarts, or writes files for others; the campaign goes on meanwhile. */
    private static <T> T patiently(Supplier<T> question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return question.get();
            } catch (AssayException e) {
                if (e.code().httpStatus() < SERVER_ERRORS || System.nanoTime() > deadline) {
                    throw e;
                }
                sleep(LONGEST_POLL);
            }
        }
    }

    /**
     * Shows the result of a campaign.
     *
     * @return the exit code
     */
    int conclude(RemoteCampaign view) {
        if (view.state() == CampaignState.COMPLETED) {
            return conclude(view, patiently(() -> api.report(view.id())));
        }
        if (options.reports().places().any()) {
            ExitRule sofar = ExitRule.decide(patiently(() -> api.report(view.id())), options.noFail());
            var _ = patiently(() -> reports.write(sofar));
        }
        String end = view.endInTemporal();
        if (end != null) {
            return end("The campaign does not go on. " + end);
        }
        return switch (view.state()) {
            case FAILED ->
                end("The campaign could not go on: "
                        + (view.failureReason() == null ? "no reason is stored" : view.failureReason())
                        + ". Try again with: assay resume " + view.id());
            case CANCELLED -> end("The campaign was cancelled.");
            case COMPLETED, PAUSED, PENDING, RUNNING -> end(paused(view));
        };
    }

    /** A pause of Assay's own says why, and what was paid in vain. */
    private static String paused(RemoteCampaign view) {
        String resume = "Go on with: assay resume " + view.id();
        if (view.failureReason() == null) {
            return "The campaign is paused. " + resume;
        }
        return "The campaign is paused (" + cause(view.health()) + "). "
                + String.join(" ", HealthText.lines(view.health(), Instant.now())) + " " + resume;
    }

    private static CampaignHealth.Code cause(@Nullable CampaignHealth health) {
        boolean isDown = health != null
                && health.reasons().stream().anyMatch(reason -> reason.code() == CampaignHealth.Code.PROVIDER_DOWN);
        return isDown ? CampaignHealth.Code.PROVIDER_DOWN : CampaignHealth.Code.STORE_REFUSES;
    }

    private int conclude(RemoteCampaign view, CampaignSummary summary) {
        ExitRule rule = ExitRule.decide(summary, options.noFail());
        PrintWriter out = common.out();
        String json = "";
        if (options.json() || options.reports().places().any()) {
            json = patiently(() -> reports.write(rule));
        }
        if (options.json()) {
            out.println(json);
        } else {
            out.println();
            out.print(ResultTable.of(view.id(), summary));
            out.print(ErrorTable.of(view.id(), patiently(() -> api.errors(view.id()))));
            out.println();
            out.println(whereResultsAre(view.id()));
        }
        String lost = unmapped.sentence(summary);
        if (lost != null) {
            (options.json() ? common.err() : out).println(lost);
            common.err().flush();
        }
        if (!options.json()) {
            out.println(rule.sentence());
        }
        out.flush();
        return rule.code();
    }

    private String whereResultsAre(String id) {
        return session.isEmbedded()
                ? "Results: campaign " + id + " in " + common.path() + " (assay show " + id + ")"
                : "Results: " + api.base().resolve("/api/v1/campaigns/" + id + "/outcomes");
    }

    private int end(String sentence) {
        common.err().println("assay: " + sentence);
        common.err().flush();
        return ExitCode.COULD_NOT_RUN;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while following the campaign", e);
        }
    }
}

package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.report.AccountText;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ProgressPrinter;
import dev.assay.cli.report.ResultTable;
import dev.assay.cli.report.UnmappedChecks;
import dev.assay.cli.report.run.RunOrigin;
import dev.assay.cli.report.run.RunReports;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    private final ConnectOptions connect;
    private final CommonOptions common;
    private final ResultOptions options;
    private final UnmappedChecks unmapped;
    private final RunReports reports;
    private final ProgressPrinter printer;
    private final long start = System.nanoTime();
    private RemoteCampaign view;

    CampaignFollower(ApiSession session, ConnectOptions connect, ResultOptions options, RemoteCampaign first) {
        this(session, connect, options, first, RunOrigin.NONE, UnmappedChecks.NONE, false);
    }

    /** Of one campaign that is followed beside others. */
    static CampaignFollower beside(
            ApiSession session, ConnectOptions connect, ResultOptions options, RemoteCampaign first) {
        return new CampaignFollower(session, connect, options, first, RunOrigin.NONE, UnmappedChecks.NONE, true);
    }

    /**
     * @param first the campaign as it is now
     * @param origin the request of the run, for its summary
     * @param unmapped the checks that its file lost
     */
    CampaignFollower(
            ApiSession session,
            ConnectOptions connect,
            ResultOptions options,
            RemoteCampaign first,
            RunOrigin origin,
            UnmappedChecks unmapped) {
        this(session, connect, options, first, origin, unmapped, false);
    }

    private CampaignFollower(
            ApiSession session,
            ConnectOptions connect,
            ResultOptions options,
            RemoteCampaign first,
            RunOrigin origin,
            UnmappedChecks unmapped,
            boolean isOneOfSeveral) {
        this.view = first;
        this.unmapped = unmapped;
        this.session = session;
        this.api = session.api();
        this.connect = connect;
        this.common = connect.common();
        this.options = options;
        this.reports = new RunReports(api, first, options.reports().places(), origin, common.err());
        // Lines of several campaigns are not written over each other.
        this.printer = isOneOfSeveral
                ? new ProgressPrinter(common.err(), false, first.id() + " ")
                : new ProgressPrinter(common.err(), Terminal.isInteractive(), "");
    }

    /**
     * Makes Ctrl-C say how to go on; a second Ctrl-C leaves at once. A campaign that this process itself runs is paused. One of a
     * server goes on: others may wait for it.
     */
    void leaveOnInterrupt() {
        Interrupts.onFirst(
                () -> {
                    common.err().println();
                    common.err().println(session.isEmbedded() ? pause(view.id()) : leave(view.id()));
                    common.err().flush();
                    session.close();
                },
                session::abandon);
    }

    private String leave(String id) {
        return "The campaign goes on. Follow it with: " + connect.pasted("assay watch " + id);
    }

    private String pause(String id) {
        try {
            api.act(id, "pause");
            return "Paused. Go on with: " + resume(id);
        } catch (AssayException e) {
            return e.code() == ErrorCode.CONFLICT
                    ? e.getMessage() + "; see it with: " + connect.pasted("assay show " + id)
                    : "The campaign could not be paused: " + e.getMessage() + ". Go on with: " + resume(id);
        }
    }

    /**
     * Follows the campaign until it ends, is paused by another command, or an operator ends its workflow.
     *
     * @return how it stands then
     */
    RemoteCampaign follow() {
        follow(List.of(this));
        return view;
    }

    /** Follows several campaigns until none of them goes on. */
    static void follow(List<CampaignFollower> all) {
        all.stream().filter(one -> !one.goesOn()).forEach(CampaignFollower::showEnd);
        Duration wait = SHORTEST_POLL;
        while (all.stream().anyMatch(CampaignFollower::goesOn)) {
            sleep(wait);
            wait = wait.multipliedBy(2).compareTo(LONGEST_POLL) < 0 ? wait.multipliedBy(2) : LONGEST_POLL;
            all.stream().filter(CampaignFollower::goesOn).forEach(CampaignFollower::look);
        }
    }

    private boolean goesOn() {
        return view.state().goesOn() && view.endInTemporal() == null;
    }

    private void look() {
        printer.show(view, elapsed());
        reports.follow();
        view = patiently(() -> api.campaign(view.id()));
        if (!goesOn()) {
            showEnd();
        }
    }

    private void showEnd() {
        Interrupts.stayIfInterrupted();
        printer.end(view);
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
     * Shows the result of the campaign as it stands.
     *
     * @return the exit code
     */
    int conclude() {
        if (view.state() == CampaignState.COMPLETED) {
            return conclude(patiently(() -> api.report(view.id())));
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
                        + ". Try again with: " + resume(view.id()));
            case CANCELLED -> end("The campaign was cancelled. Go on with: " + resume(view.id()));
            case COMPLETED, PAUSED, PENDING, RUNNING -> end(paused());
        };
    }

    /** A pause of Assay's own says why, and what was paid in vain. */
    private String paused() {
        String resume = "Go on with: " + resume(view.id());
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

    private int conclude(CampaignSummary summary) {
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
            out.print(misses());
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

    /** What did not give a result, and the commands that mend it. */
    private String misses() {
        CampaignAccount account = view.account();
        if (account == null) {
            return "";
        }
        AccountText text = new AccountText(account, view.id(), connect::pasted);
        String skipped = text.skipped();
        return text.errors() + (skipped == null ? "" : skipped + System.lineSeparator());
    }

    private String resume(String id) {
        return connect.pasted("assay resume " + id);
    }

    private String whereResultsAre(String id) {
        return session.isEmbedded()
                ? "Results: campaign " + id + " in " + common.path() + " (" + connect.pasted("assay show " + id) + ")"
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

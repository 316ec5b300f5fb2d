package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.AssayApi.Seen;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.live.LiveScreen;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.report.EndText;
import dev.assay.cli.report.ProgressPrinter;
import dev.assay.cli.report.ResultTable;
import dev.assay.cli.report.run.RunOrigin;
import dev.assay.cli.report.run.RunReports;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The follower of one campaign to its end. It shows the result, and returns the exit code. */
public final class CampaignFollower {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(50);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);
    /** An end is seen late by this part of what the campaign took. */
    private static final int LATENESS = 5;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SERVER_ERRORS = 500;

    private final ApiSession session;
    private final AssayApi api;
    private final ConnectOptions connect;
    private final CommonOptions common;
    private final ResultOptions options;
    private final RunReports reports;
    private final ProgressPrinter printer;
    private final long start = System.nanoTime();
    private Seen seen;
    private RemoteCampaign view;

    /** @param first the campaign as it is now */
    public CampaignFollower(ApiSession session, ConnectOptions connect, ResultOptions options, RemoteCampaign first) {
        this(session, connect, options, first, RunOrigin.NONE, false);
    }

    /** Of one campaign that is followed beside others. */
    static CampaignFollower beside(
            ApiSession session, ConnectOptions connect, ResultOptions options, RemoteCampaign first) {
        return new CampaignFollower(session, connect, options, first, RunOrigin.NONE, true);
    }

    /**
     * @param first the campaign as it is now
     * @param origin the request of the run, for its summary
     */
    CampaignFollower(
            ApiSession session, ConnectOptions connect, ResultOptions options, RemoteCampaign first, RunOrigin origin) {
        this(session, connect, options, first, origin, false);
    }

    private CampaignFollower(
            ApiSession session,
            ConnectOptions connect,
            ResultOptions options,
            RemoteCampaign first,
            RunOrigin origin,
            boolean isOneOfSeveral) {
        this.view = first;
        this.seen = new Seen(first, null);
        this.session = session;
        this.api = session.api();
        this.connect = connect;
        this.common = connect.common();
        this.options = options;
        this.reports = new RunReports(api, first, options.reports().places(), origin, common.err());
        this.printer = new ProgressPrinter(common.err(), isOneOfSeveral ? first.id() + " " : "");
    }

    /**
     * Makes Ctrl-C say how to go on; a second Ctrl-C leaves at once. A campaign that this process itself runs is paused. One of a
     * server goes on: others may wait for it.
     */
    public void leaveOnInterrupt() {
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
    public RemoteCampaign follow() {
        follow(List.of(this));
        return view;
    }

    /** Follows several campaigns until none of them goes on: on a screen where there is one, else with lines. */
    static void follow(List<CampaignFollower> all) {
        try (LiveScreen screen = LiveScreen.open()) {
            if (screen == null) {
                all.stream().filter(one -> !one.goesOn()).forEach(one -> one.printer.end(one.view));
            }
            long began = System.nanoTime();
            while (all.stream().anyMatch(CampaignFollower::goesOn)) {
                if (screen == null) {
                    all.stream().filter(CampaignFollower::goesOn).forEach(CampaignFollower::print);
                } else {
                    screen.show(views(all));
                }
                sleep(pollAfter(Duration.ofNanos(System.nanoTime() - began)));
                all.stream().filter(CampaignFollower::goesOn).forEach(one -> one.look(screen == null));
            }
            Interrupts.stayIfInterrupted();
            if (screen != null) {
                screen.end(views(all));
            }
        }
    }

    private static Duration pollAfter(Duration elapsed) {
        Duration part = elapsed.dividedBy(LATENESS);
        if (part.compareTo(SHORTEST_POLL) < 0) {
            return SHORTEST_POLL;
        }
        return part.compareTo(LONGEST_POLL) < 0 ? part : LONGEST_POLL;
    }

    private static List<RemoteCampaign> views(List<CampaignFollower> all) {
        return all.stream().map(one -> one.view).toList();
    }

    private boolean goesOn() {
        return view.state().goesOn() && view.endInTemporal() == null;
    }

    private void print() {
        printer.show(view, elapsed());
    }

    private void look(boolean prints) {
        reports.follow();
        seen = patiently(() -> api.again(seen));
        view = seen.campaign();
        if (prints && !goesOn()) {
            Interrupts.stayIfInterrupted();
            printer.end(view);
        }
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
    public int conclude() {
        if (view.state() == CampaignState.COMPLETED) {
            return conclude(patiently(() -> api.report(view.id())));
        }
        if (options.reports().places().any()) {
            ExitRule sofar = ExitRule.decide(patiently(() -> api.report(view.id())), options.noFail());
            var _ = patiently(() -> reports.write(sofar));
        }
        EndText end = new EndText(view, connect::pasted);
        common.err().print(end.misses());
        common.err().println("assay: " + end.sentence());
        common.err().flush();
        return ExitCode.COULD_NOT_RUN;
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
            out.print(ResultTable.of(view.id(), summary, connect::pasted));
            out.print(new EndText(view, connect::pasted).misses());
            out.println();
            out.println(whereResultsAre(view.id()));
        }
        if (!options.json()) {
            out.println(rule.sentence());
        }
        out.flush();
        return rule.code();
    }

    private String resume(String id) {
        return connect.pasted("assay resume " + id);
    }

    private String whereResultsAre(String id) {
        return session.isEmbedded()
                ? "Results: campaign " + id + " in " + common.path() + " (" + connect.pasted("assay show " + id) + ")"
                : "Results: " + api.base().resolve("/api/v1/campaigns/" + id + "/outcomes");
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

package dev.assay.domain.rendering;

import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.Pause;
import dev.assay.domain.account.CampaignAccount.ProviderState;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.text.Excerpt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a saved report says before its cases.
 *
 * @param written when the report is written
 */
public record HtmlHead(String id, String name, CampaignAccount account, Instant written) {

    private static final int WORDS = 500;

    private static final String STYLE = """
        :root{color-scheme:light dark}
        body{font:15px/1.5 system-ui,sans-serif;margin:0}
        main{max-width:70rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
        table{border-collapse:collapse;display:block;overflow-x:auto}
        th,td{padding:.25rem .75rem .25rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid #8886}
        th:first-child,td:first-child{text-align:left}
        details{border-bottom:1px solid #8886;padding:.35rem 0}
        summary{cursor:pointer}
        pre{white-space:pre-wrap;margin:.25rem 0 .75rem;padding:.5rem;border:1px solid #8886}
        h3{font-size:1em;margin:.5rem 0 0}
        .failed,.reason{color:light-dark(#a40e26,#ff8a91)}
        .passed{color:light-dark(#116329,#5fd37a)}
        """;

    /** What a report may do: its own style, and nothing else. */
    static String policy() {
        return "default-src 'none'; style-src 'sha256-" + digest(STYLE) + "'; base-uri 'none'; form-action 'none'";
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    String begin() {
        String title = EscapedHtml.of(name);
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy() + "\">\n"
                + "<meta name=\"referrer\" content=\"no-referrer\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n"
                + "<title>" + title + "</title>\n<style>" + STYLE + "</style></head>\n<body><main>\n"
                + "<h1>" + title + "</h1>\n<p>Campaign " + EscapedHtml.of(id) + ", as it stood at " + written
                + "</p>\n";
    }

    static String gate(CampaignAccount account, String rule) {
        return "<p><b>" + account.state() + (account.verdict() == null ? "" : " " + account.verdict()) + "</b></p>\n<p>"
                + EscapedHtml.of(account.rule() == null ? rule : account.rule()) + "</p>\n";
    }

    static String branches(CampaignSummary summary) {
        String rows = summary.branches().stream().map(HtmlHead::row).collect(Collectors.joining());
        return "<h2>Branches</h2>\n"
                + table(
                        List.of(
                                "Branch",
                                "Verdict",
                                "Trials passed",
                                "95 % interval",
                                "Cases passed",
                                "Errors",
                                "Unknown",
                                "Cost"),
                        rows);
    }

    private static String row(BranchSummary branch) {
        return row(List.of(
                branch.branchId(),
                branch.gated() ? branch.verdict().name() : "not gated",
                Numbers.known(branch.trialPassRate()),
                Numbers.interval(
                        branch.trialPassRate().low(), branch.trialPassRate().high()),
                Numbers.decided(branch.suitePassRate()),
                Numbers.count(branch.trials().errors()),
                Numbers.count(branch.trialPassRate().unknown()),
                Numbers.cost(branch.spend().costUsd())));
    }

    static String account(CampaignAccount account) {
        StringBuilder html = new StringBuilder("<h2>What happened</h2>\n");
        html.append(line("Cells: " + cells(account.cells())));
        html.append(line("Cost: " + Numbers.cost(account.spentUsd()) + " spent"
                + (account.budgetUsd() == null ? "" : ", budget " + Numbers.cost(account.budgetUsd()))));
        Pause pause = account.paused();
        if (pause != null) {
            html.append(line("Paused at " + pause.at() + (pause.who() == null ? "" : " by " + pause.who())
                    + (pause.reason() == null ? "" : ": " + pause.reason())));
        }
        for (Reason reason : account.health().reasons()) {
            html.append(line(account.health().status() + ": " + reason.message()));
        }
        account.providers().stream()
                .filter(provider -> provider.state() != ProviderState.OK)
                .forEach(provider -> html.append(line("Provider " + provider.name() + ": " + provider.state())));
        html.append(errors(account.errors()));
        return html.append(line("Next: " + account.next())).toString();
    }

    private static String cells(Cells cells) {
        return Numbers.count(cells.done()) + " done, " + Numbers.count(cells.open()) + " open, "
                + Numbers.count(cells.skipped()) + " skipped for the budget, " + Numbers.count(cells.notNeeded())
                + " not needed, " + Numbers.count(cells.rerun()) + " asked again";
    }

    private static String errors(List<ErrorCount> errors) {
        if (errors.isEmpty()) {
            return "";
        }
        String rows = errors.stream()
                .map(error -> row(List.of(
                        error.code(),
                        Numbers.count(error.ended()),
                        Numbers.count(error.attempts()),
                        error.newest() == null ? "" : Excerpt.of(error.newest(), WORDS))))
                .collect(Collectors.joining());
        return table(List.of("Error", "Cells", "Tried again", "Newest"), rows);
    }

    /** Lines on what the numbers are worth. */
    static String notes(String notes) {
        return notes.lines().map(HtmlHead::line).collect(Collectors.joining());
    }

    private static String line(String text) {
        return "<p>" + EscapedHtml.of(text) + "</p>\n";
    }

    private static String table(List<String> headings, String rows) {
        return headings.stream()
                .map(heading -> "<th scope=\"col\">" + EscapedHtml.of(heading) + "</th>")
                .collect(Collectors.joining("", "<table><tr>", "</tr>\n" + rows + "</table>\n"));
    }

    private static String row(List<String> cells) {
        return cells.stream()
                .map(cell -> "<td>" + EscapedHtml.of(cell) + "</td>")
                .collect(Collectors.joining("", "<tr>", "</tr>\n"));
    }
}

package dev.assay.domain.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.text.Utf8;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Results as one HTML file: the account, branches with their intervals, and cases with reasons and first answers. Those that failed
 * stand first. It runs no script and loads nothing, so it needs neither a server nor a network.
 */
public final class HtmlReport {

    /** Bytes of UTF-8 that a report takes at most. */
    public static final int MAX_BYTES = 20_000_000;

    /** The field of a trial that holds the beginning of its answer. */
    public static final String ANSWER = "answer";

    /** The field of a trial that holds the beginning of what was asked. */
    public static final String QUESTION = "question";

    /** Characters of an answer or a question that are shown. */
    public static final int LONGEST_TEXT = 10_000;

    private static final int ROOM_FOR_END = 1_000;

    private final OutputStream out;
    private final long room;
    private long bytes;
    private long shown;

    private HtmlReport(OutputStream out, int maxBytes) {
        this.out = out;
        this.room = (long) maxBytes - ROOM_FOR_END;
    }

    /** Ends the reading of cases for which there is no room. */
    private static final class NoRoom extends IOException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Writes the report.
     *
     * @param trials with {@link #QUESTION} and {@link #ANSWER} where they are known
     * @param rule the sentence that names the rule that decided
     * @param maxBytes of UTF-8; cases that do not fit are counted instead
     */
    public static void write(
            HtmlHead head, CampaignSummary summary, CaseTrials trials, String rule, int maxBytes, OutputStream out)
            throws IOException {
        new HtmlReport(out, maxBytes).write(head, summary, trials, rule);
    }

    private void write(HtmlHead head, CampaignSummary summary, CaseTrials trials, String rule) throws IOException {
        try {
            CampaignAccount account = head.account();
            add(head.begin());
            add(HtmlHead.gate(account, rule));
            add(HtmlHead.branches(summary));
            add(HtmlHead.account(account));
            add(HtmlHead.notes(ResultNotes.of(head.id(), summary)));
            add("<h2>Cases</h2>\n");
            addCases(summary, trials, true);
            addCases(summary, trials, false);
        } catch (NoRoom e) {
            long all = summary.branches().stream()
                    .mapToLong(branch -> branch.cases().size())
                    .sum();
            put("<p>" + Numbers.count(all - shown) + " of " + Numbers.count(all, "result")
                    + " of cases on branches are left out here: the file would be too large.</p>\n");
        }
        put("</main></body></html>\n");
    }

    private void addCases(CampaignSummary summary, CaseTrials trials, boolean isNotable) throws IOException {
        for (BranchSummary branch : summary.branches()) {
            if (branch.cases().stream().anyMatch(one -> isNotable(one) == isNotable)) {
                trials.forEach(branch, (one, all) -> {
                    if (isNotable(one) == isNotable) {
                        add(entry(branch, one, all));
                        shown++;
                    }
                });
            }
        }
    }

    private static boolean isNotable(CaseSummary one) {
        return one.status() != CaseStatus.PASSED || one.isFlaky();
    }

    private static String entry(BranchSummary branch, CaseSummary one, JsonNode trials) {
        StringBuilder html = new StringBuilder("<details><summary><b>")
                .append(EscapedHtml.of(one.caseId()))
                .append("</b> on ")
                .append(EscapedHtml.of(branch.branchId()))
                .append(": <span class=\"")
                .append(TrialResults.word(one.status()))
                .append("\">")
                .append(one.status() == CaseStatus.INCONCLUSIVE ? "inconclusive" : TrialResults.word(one.status()))
                .append(one.isFlaky() ? ", flaky" : "")
                .append("</span>, ")
                .append(EscapedHtml.of(FailedCase.rate(one, null)))
                .append(", ")
                .append(Numbers.interval(one.low(), one.high()))
                .append("</summary>\n");
        html.append(text("Question", first(trials, QUESTION)));
        FailedCase.reasons(trials)
                .forEach(reason -> html.append("<p class=\"reason\">")
                        .append(EscapedHtml.of(reason))
                        .append("</p>\n"));
        html.append(text("First answer", first(trials, ANSWER)));
        return html.append("</details>\n").toString();
    }

    private static String text(String label, String text) {
        return text.isEmpty() ? "" : "<h3>" + label + "</h3><pre dir=\"auto\">" + EscapedHtml.of(text) + "</pre>\n";
    }

    /** The text of the first trial that has one; empty: none has. */
    private static String first(JsonNode trials, String field) {
        for (JsonNode trial : trials) {
            String text = trial.path(field).asText();
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private void add(String html) throws IOException {
        if (bytes + Utf8.length(html) > room) {
            throw new NoRoom();
        }
        put(html);
    }

    private void put(String html) throws IOException {
        byte[] utf8 = html.getBytes(StandardCharsets.UTF_8);
        bytes += utf8.length;
        out.write(utf8);
    }
}

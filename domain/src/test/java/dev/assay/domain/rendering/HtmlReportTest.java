package dev.assay.domain.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.EtaReason;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.GateReport;
import dev.assay.domain.report.Latency;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

    private static final String HOSTILE =
            "</pre></title><script>alert(1)</script><img src=x onerror='alert(2)'>\u0000\u001b[2J\u202E\uD800 \"&amp;";

    private int read;

    private static CaseSummary one(int index, boolean passed) {
        return new CaseSummary(
                "case-" + index,
                passed ? 1 : 0,
                1,
                passed ? 1 : 0,
                passed ? CaseStatus.PASSED : CaseStatus.FAILED,
                0,
                0,
                1);
    }

    /** Every other case fails. */
    private static CampaignSummary summary(String branchId, int cases) {
        Spend spend = new Spend(Usage.of(100, 50), new BigDecimal("0.0012"), 0);
        List<CaseSummary> all =
                IntStream.range(0, cases).mapToObj(i -> one(i, i % 2 == 0)).toList();
        Proportion passed = Proportion.of(cases / 2, 0, cases);
        BranchSummary branch = new BranchSummary(
                branchId,
                true,
                Verdict.FAIL,
                passed,
                passed,
                new BranchSummary.TrialCounts(cases / 2, cases - cases / 2, 0, 0),
                Proportion.of(0, 0),
                spend,
                new Latency(2, 400L, 1_200L),
                all);
        return new CampaignSummary(
                new GateReport(Verdict.FAIL, 1.0, 1.0),
                null,
                passed,
                CampaignSummary.Reruns.NONE,
                List.of(branch),
                new CampaignSummary.SelectionCounts(2, 0, 0, 2, 0),
                new CampaignSummary.JudgeCalls(0, Spend.NONE),
                null,
                spend,
                null,
                null);
    }

    private static CampaignAccount account(String words) {
        return new CampaignAccount(
                CampaignState.COMPLETED,
                Verdict.FAIL,
                "Failed: " + words,
                new Cells(10, 0, 0, 2, 0, 0),
                List.of(new ErrorCount("PROVIDER_TIMEOUT", 3, 0, words)),
                List.of(),
                List.of(),
                new CampaignHealth(CampaignHealth.Status.OK, List.of()),
                null,
                null,
                0,
                20,
                null,
                EtaReason.ENDED,
                new BigDecimal("0.5"),
                null,
                new BigDecimal("0.5"),
                CampaignAccount.Reused.NONE,
                List.of(),
                List.of(),
                "assay rerun c-1 --errored");
    }

    private String html(String words, int cases, int maxBytes) throws IOException {
        CaseTrials trials = (branch, reader) -> {
            for (CaseSummary one : branch.cases()) {
                read++;
                ObjectNode outcome = Json.mapper().createObjectNode();
                outcome.put("trial", 1).put("status", "COMPLETED").put("passed", one.passCount() > 0);
                outcome.putArray("checks")
                        .addObject()
                        .put("type", "icontains")
                        .put("status", "FAILED")
                        .put("reason", words);
                ArrayNode all = TrialResults.all(one, Map.of(1, TrialResults.result(outcome)));
                ((ObjectNode) all.get(0)).put(HtmlReport.QUESTION, "Q" + words).put(HtmlReport.ANSWER, "A" + words);
                reader.read(one, all);
            }
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HtmlHead head = new HtmlHead("c-1", "capitals" + words, account(words), Instant.EPOCH);
        HtmlReport.write(head, summary("small" + words, cases), trials, "no rule", maxBytes, out);
        assertThat(out.size()).isLessThanOrEqualTo(maxBytes);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldShowVerdictBranchesErrorsReasonsAndAnswers() throws IOException {
        String html = html("", 4, HtmlReport.MAX_BYTES);

        assertThat(html)
                .contains(
                        "<b>COMPLETED FAIL</b>",
                        "<p>Failed: </p>",
                        "<td>small</td><td>FAIL</td><td>50.0 % (2/4)</td>",
                        "10 done, 0 open, 2 skipped for the budget",
                        "<td>PROVIDER_TIMEOUT</td><td>3</td>",
                        "Next: assay rerun c-1 --errored",
                        "<p class=\"reason\">trial 1: icontains: </p>",
                        "<h3>First answer</h3><pre dir=\"auto\">A</pre>",
                        "<h3>Question</h3><pre dir=\"auto\">Q</pre>")
                .endsWith("</main></body></html>\n");
        assertThat(html.indexOf("case-3</b>")).as("what failed stands first").isLessThan(html.indexOf("case-0</b>"));
        assertThat(html).doesNotContain("left out");
    }

    @Test
    void shouldRunAndLoadNothingWhenTextsAreHostile() throws IOException {
        String html = html(HOSTILE, 2, HtmlReport.MAX_BYTES);

        assertThat(html).contains("&lt;/pre&gt;&lt;/title&gt;&lt;script&gt;alert(1)", "&quot;&amp;amp;", "\uFFFD");
        assertThat(Pattern.compile("<([a-z0-9]+)").matcher(html).results().map(tag -> tag.group(1)))
                .isSubsetOf(
                        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "b", "table",
                        "tr", "th", "td", "details", "summary", "span", "pre");
        assertThat(html.codePoints()).noneMatch(point -> point != '\n' && Character.isISOControl(point));
        assertThat(html).doesNotContain("\u202E");
    }

    @Test
    void shouldAllowItsOwnStyleAlone() throws Exception {
        String html = html("", 2, HtmlReport.MAX_BYTES);

        Matcher style = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL).matcher(html);
        assertThat(style.find()).isTrue();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(style.group(1).getBytes(StandardCharsets.UTF_8));
        assertThat(html)
                .contains("content=\"default-src 'none'; style-src 'sha256-"
                        + Base64.getEncoder().encodeToString(hash) + "'; base-uri 'none'; form-action 'none'\"")
                .doesNotContain(" style=", "http:", "https:");
    }

    @Test
    void shouldSayWhatItLeavesOutAndReadNoMoreWhenThereIsNoRoom() throws IOException {
        int cases = 1_000;
        String html = html("x".repeat(500), cases, 100_000);

        assertThat(html).containsPattern("<p>9[0-9]{2} of 1,000 results of cases on branches are left out here");
        assertThat(read).isLessThan(cases / 2);
        assertThat(html("", 2, 2_000))
                .as("no room even for the head")
                .contains("2 of 2 results")
                .endsWith("</html>\n");
    }
}

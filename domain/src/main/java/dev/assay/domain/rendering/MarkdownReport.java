package dev.assay.domain.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.text.Utf8;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Results as Markdown for a pull request: the verdict, rates with their intervals, then the cases, the worst first. */
public final class MarkdownReport {

    /** Bytes that GitHub takes of one step, with room for what other programs write there. */
    public static final int MAX_BYTES = 1_000_000;

    /** Bytes that the verdict and the rates of a few branches take. */
    public static final int MIN_BYTES = 2_000;

    private static final int ROOM_FOR_END = 1_000;
    private static final int SHOWN_REASONS = 3;

    private final StringBuilder text = new StringBuilder();
    private final CampaignSummary summary;
    private final int room;
    private long bytes;

    private MarkdownReport(CampaignSummary summary, int maxBytes) {
        this.summary = summary;
        this.room = maxBytes - ROOM_FOR_END;
    }

    /** One case on one branch. */
    private record Place(String branchId, String caseId) {}

    /** One case on one branch, with the order of its status: failing, flaky, inconclusive, passed. */
    private record Row(BranchSummary branch, CaseSummary one) {

        static final int PASSED = 3;

        int order() {
            return switch (one.status()) {
                case FAILED -> 0;
                case INCONCLUSIVE -> 2;
                case PASSED -> isFlaky() ? 1 : PASSED;
            };
        }

        boolean isFlaky() {
            return one.isFlaky();
        }

        String status() {
            return TrialResults.word(one.status()) + (isFlaky() ? ", flaky" : "");
        }

        Place place() {
            return new Place(branch.branchId(), one.caseId());
        }
    }

    /**
     * The document.
     *
     * @param maxBytes of UTF-8; rows that do not fit are counted instead
     * @throws IOException when the trials cannot be read
     */
    public static String of(
            String campaignName,
            String campaignId,
            CampaignSummary summary,
            CaseTrials trials,
            ExitRule rule,
            int maxBytes)
            throws IOException {
        MarkdownReport report = new MarkdownReport(summary, maxBytes);
        report.add("## " + cell(campaignName) + ": " + summary.verdict() + "\n\n" + cell(rule.sentence()) + "\n\n");
        report.addBranches();
        report.add(ResultNotes.of(campaignId, summary)
                .lines()
                .map(line -> "\n" + cell(line) + "\n")
                .collect(Collectors.joining()));
        report.addCases(report.reasons(trials));
        return report.text.toString();
    }

    private void addBranches() {
        add("""
            | Branch | Verdict | Cases passed | 95 % interval | Trials passed | 95 % interval | Errors | Unknown | Cost |
            |---|---|---|---|---|---|---|---|---|
            """);
        for (BranchSummary branch : summary.branches()) {
            add("| " + cell(branch.branchId()) + " | " + branch.verdict() + " | "
                    + Numbers.decided(branch.suitePassRate()) + " | "
                    + interval(branch.suitePassRate()) + " | " + rate(branch.trialPassRate()) + " | "
                    + interval(branch.trialPassRate()) + " | "
                    + Numbers.count(branch.trials().errors()) + " | "
                    + Numbers.count(branch.trialPassRate().unknown()) + " | "
                    + Numbers.cost(branch.spend().costUsd()) + " |\n");
        }
    }

    /**
     * The reasons of cases that did not pass, or are flaky. Rows of one order stand as they are read. So those beyond the room of
     * the document are never shown, and not kept.
     */
    private Map<Place, String> reasons(CaseTrials trials) throws IOException {
        Map<Place, String> reasons = new HashMap<>();
        long[] kept = new long[Row.PASSED + 1];
        for (BranchSummary branch : summary.branches()) {
            trials.forEach(branch, (one, of) -> {
                Row row = new Row(branch, one);
                int order = row.order();
                if (order != Row.PASSED && kept[order] <= room) {
                    String why = why(of);
                    kept[order] += Utf8.length(why) + one.caseId().length();
                    reasons.put(row.place(), why);
                }
            });
        }
        return reasons;
    }

    private static String why(JsonNode trials) {
        return FailedCase.reasons(trials).stream()
                .limit(SHOWN_REASONS)
                .map(MarkdownReport::cell)
                .collect(Collectors.joining("<br>"));
    }

    private void addCases(Map<Place, String> reasons) {
        List<Row> rows = summary.branches().stream()
                .flatMap(branch -> branch.cases().stream().map(one -> new Row(branch, one)))
                .sorted(Comparator.comparingInt(Row::order))
                .toList();
        add("\n| Case | Branch | Status | Trials passed | 95 % interval | Why |\n|---|---|---|---|---|---|\n");
        for (int i = 0; i < rows.size(); i++) {
            if (!add(line(rows.get(i), reasons))) {
                text.append("\n").append(Numbers.count(rows.size() - i)).append(" more cases are left out here.\n");
                return;
            }
        }
    }

    private static String line(Row row, Map<Place, String> reasons) {
        CaseSummary one = row.one;
        return "| " + cell(one.caseId()) + " | " + cell(row.branch.branchId()) + " | " + row.status() + " | "
                + one.passCount() + "/" + (one.totalTrials() - one.noEvidence()) + " | "
                + interval(one.low(), one.high()) + " | " + reasons.getOrDefault(row.place(), "")
                + " |\n";
    }

    /** Whether {@code more} still had room. */
    private boolean add(String more) {
        long size = Utf8.length(more);
        if (bytes + size > room) {
            return false;
        }
        bytes += size;
        text.append(more);
        return true;
    }

    private static String rate(Proportion rate) {
        return Numbers.known(rate);
    }

    private static String interval(Proportion rate) {
        Double low = rate.low();
        Double high = rate.high();
        return low == null || high == null ? Numbers.UNKNOWN : interval(low, high);
    }

    private static String interval(double low, double high) {
        return Numbers.decimal(low * 100) + "–" + Numbers.decimal(high * 100) + " %";
    }

    /** {@code text} so that a table shows it as it is: neither Markdown nor HTML in it has an effect. */
    static String cell(String text) {
        StringBuilder cell = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                cell.append(' ');
            } else if (c < 0x80 && "\\`*_{}[]()#+!|~<>&@:".indexOf(c) >= 0) {
                cell.append("&#").append(c).append(';');
            } else {
                cell.appendCodePoint(c);
            }
        });
        return cell.toString();
    }
}

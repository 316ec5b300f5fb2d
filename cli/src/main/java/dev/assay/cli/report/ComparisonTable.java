package dev.assay.cli.report;

import dev.assay.domain.comparison.ComparedBranch;
import dev.assay.domain.comparison.ComparedFlip;
import dev.assay.domain.comparison.ComparedMetric;
import dev.assay.domain.comparison.ComparedValue;
import dev.assay.domain.comparison.ComparisonReport;
import dev.assay.domain.comparison.DefinitionDifference;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A comparison for people: the differences, the numbers of both, the cases that flipped, and the decision. */
public final class ComparisonTable {

    private static final List<String> HEADINGS =
            List.of("", "A (base)", "B (new)", "difference", "95 % interval", "p", "Holm");

    private static final List<String> TAG_HEADINGS =
            List.of("trials passed, by tag", "A (base)", "B (new)", "difference", "95 % interval", "p", "Holm");

    /** More would scroll the text above them away; the JSON has all. */
    private static final int MOST_FLIPS = 20;

    private static final int MOST_DIFFERENCES = 20;

    private static final int VALUE_LENGTH = 60;

    private ComparisonTable() {}

    /** As plain text. */
    public static String text(ComparisonReport report) {
        StringBuilder text = new StringBuilder();
        head(report).forEach(line -> text.append(line).append('\n'));
        TextTable table = new TextTable(HEADINGS);
        report.metrics().forEach(metric -> table.row(row(metric)));
        text.append('\n').append(table.text()).append('\n');
        if (!report.tags().isEmpty()) {
            TextTable tags = new TextTable(TAG_HEADINGS);
            report.tags().forEach(tag -> tags.row(tagRow(tag)));
            text.append(tags.text()).append('\n');
        }
        foot(report).forEach(line -> text.append(line).append('\n'));
        report.flips().stream()
                .limit(MOST_FLIPS)
                .forEach(flip -> text.append("  ").append(flip(flip)).append('\n'));
        return text.append(moreFlips(report)).toString();
    }

    /** As Markdown. */
    public static String markdown(ComparisonReport report) {
        StringBuilder text = new StringBuilder("# Comparison\n\n");
        head(report).forEach(line -> text.append("- ").append(escaped(line)).append('\n'));
        text.append(markdownTable(
                HEADINGS, report.metrics().stream().map(ComparisonTable::row).toList()));
        if (!report.tags().isEmpty()) {
            text.append(markdownTable(
                    TAG_HEADINGS,
                    report.tags().stream().map(ComparisonTable::tagRow).toList()));
        }
        text.append('\n');
        foot(report).forEach(line -> text.append(escaped(line)).append("\n\n"));
        report.flips().stream()
                .limit(MOST_FLIPS)
                .forEach(flip -> text.append("- ").append(escaped(flip(flip))).append('\n'));
        return text.append(moreFlips(report)).toString();
    }

    private static List<String> head(ComparisonReport report) {
        List<String> lines = new ArrayList<>();
        if (report.evaluators() != null && report.evaluators().warning() != null) {
            lines.add(report.evaluators().warning());
        }
        lines.add("A: " + named(report.a()));
        lines.add("B: " + named(report.b()));
        report.differences().stream()
                .limit(MOST_DIFFERENCES)
                .forEach(difference -> lines.add("Differs: " + difference(difference)));
        int more = report.differences().size() - MOST_DIFFERENCES;
        if (more > 0) {
            lines.add("… and " + Numbers.count(more, "more difference") + ": --json has all");
        }
        return lines;
    }

    private static String named(ComparedBranch one) {
        return one.campaign() + ":" + one.branch() + ", suite " + one.suite() + ", "
                + Numbers.count(one.cases(), "case") + " × " + Numbers.count(one.trials(), "trial")
                + (one.redrawn() == 0
                        ? ""
                        : ", " + Numbers.count(one.redrawn()) + " asked again after a result: the first draw counts")
                + (one.wholeReruns() == 0
                        ? ""
                        : ", asked again as a whole " + Numbers.count(one.wholeReruns(), "time"));
    }

    private static String difference(DefinitionDifference difference) {
        return difference.path() + " " + value(difference.a()) + " → " + value(difference.b());
    }

    private static String value(@Nullable String value) {
        return value == null ? Numbers.UNKNOWN : Excerpt.of(value, VALUE_LENGTH);
    }

    private static List<String> row(ComparedMetric metric) {
        String name = switch (metric.name()) {
            case "trial-rate" -> "trials passed";
            case "cases-passed" -> "cases passed";
            default -> metric.name();
        };
        return row(name, number(metric.name(), known(metric.a())), number(metric.name(), known(metric.b())), metric);
    }

    /** A row of a tag, which may have the name of a metric. */
    private static List<String> tagRow(ComparedMetric tag) {
        return row(
                Excerpt.of(tag.name(), VALUE_LENGTH),
                number("trial-rate", known(tag.a())),
                number("trial-rate", known(tag.b())),
                tag);
    }

    private static List<String> row(String name, String a, String b, ComparedMetric metric) {
        ComparedMetric.Difference ratio = metric.ratio();
        String interval = ratio == null
                ? range(
                        points(metric.difference().low(), ""),
                        points(metric.difference().high(), ""))
                : range(times(ratio.low()), times(ratio.high()));
        return List.of(
                name,
                a,
                b,
                ratio == null ? points(known(metric.difference()), " pp") : times(ratio.value()),
                metric.why() == null ? interval : why(metric.why()),
                p(metric.p()),
                p(metric.pHolm()));
    }

    /** What is known; of reducers, tokens, cost and latency the value itself. */
    private static @Nullable Double known(ComparedValue value) {
        return value.denominator() == null ? value.value() : value.known();
    }

    private static @Nullable Double known(ComparedMetric.Difference difference) {
        return difference.knownCases() == null ? difference.value() : difference.known();
    }

    private static String why(ComparedMetric.Why why) {
        return switch (why) {
            case UNEQUAL_TRIALS -> "trials differ";
            case ONE_GROUP -> "one group";
            case MISSING_EVIDENCE -> "no evidence";
            case UNKNOWN_COST -> "a cost is unknown";
            case BASE_IS_ZERO -> "A takes none";
        };
    }

    private static String number(String metric, @Nullable Double value) {
        if (value == null) {
            return Numbers.UNKNOWN;
        }
        return switch (metric) {
            case "tokens" -> Numbers.count(Math.round(value));
            case "cost" -> Numbers.cost(BigDecimal.valueOf(value));
            case "latency" -> Numbers.millis(Math.round(value));
            default -> Numbers.percent(value);
        };
    }

    private static String points(@Nullable Double share, String unit) {
        return share == null ? Numbers.UNKNOWN : String.format(Locale.ROOT, "%+.1f%s", share * 100, unit);
    }

    private static String times(@Nullable Double ratio) {
        return ratio == null ? Numbers.UNKNOWN : String.format(Locale.ROOT, "×%.2f", ratio);
    }

    private static String range(String low, String high) {
        return low.equals(Numbers.UNKNOWN) ? low : low + " … " + high;
    }

    private static String p(@Nullable Double p) {
        return p == null ? Numbers.UNKNOWN : p < 0.001 ? "< 0.001" : String.format(Locale.ROOT, "%.3f", p);
    }

    private static List<String> foot(ComparisonReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(verdict(report));
        String unknown = unknown(report);
        if (!unknown.isEmpty()) {
            lines.add(unknown);
        }
        int unchanged = report.cases().shared() - report.flips().size() - report.unknown();
        lines.add("Regressed " + Numbers.count(report.regressed()) + ", improved " + Numbers.count(report.improved())
                + ", unchanged " + Numbers.count(unchanged)
                + (report.unknown() == 0 ? "" : ", unknown " + Numbers.count(report.unknown())) + "; changed "
                + Numbers.count(report.cases().changed().size()) + ", only in A "
                + Numbers.count(report.cases().onlyA().size()) + ", only in B "
                + Numbers.count(report.cases().onlyB().size()));
        if (report.cases().sharedDraws() > 0) {
            lines.add(
                    report.holdsTheSameAnswers()
                            ? "Both hold the same answers: only their evaluators differ."
                            : Numbers.count(report.cases().sharedDraws(), "answer") + " of both "
                                    + (report.cases().sharedDraws() == 1 ? "is" : "are")
                                    + " the same: one is a copy. They are no new evidence.");
        }
        return lines;
    }

    /** What is not known widens the interval of trials and cases, and is in no other number. */
    private static String unknown(ComparisonReport report) {
        ComparedMetric trials = report.metrics().getFirst();
        return orZero(trials.a().unknown()) + orZero(trials.b().unknown()) == 0
                ? ""
                : "Unknown: " + unknown(trials.a()) + " trials of A, " + unknown(trials.b())
                        + " of B. They widen the intervals, and no other number counts them";
    }

    private static String unknown(ComparedValue value) {
        return Numbers.count(orZero(value.unknown())) + " of " + Numbers.count(orZero(value.denominator()));
    }

    private static int orZero(@Nullable Integer count) {
        return count == null ? 0 : count;
    }

    private static String verdict(ComparisonReport report) {
        ComparisonReport.Decision decision = report.decision();
        String drop = "a drop of more than " + share(decision.maxDrop());
        String said = switch (decision.verdict()) {
            case PASS -> drop + " is ruled out";
            case FAIL -> drop + " is shown";
            case INCONCLUSIVE -> drop + " can neither be shown nor ruled out";
        };
        Long needed = decision.verdict() == Verdict.INCONCLUSIVE ? decision.casesNeeded() : null;
        return decision.verdict() + ": " + said + "; " + found(report)
                + (needed == null ? "" : ". Needed to rule it out: " + Numbers.count(needed, "case"));
    }

    private static String found(ComparisonReport report) {
        Integer groups = report.metrics().getFirst().difference().groups();
        int units = groups == null ? report.cases().shared() : groups;
        Double detectable = report.decision().detectable();
        return Numbers.count(units, groups == null ? "shared case" : "group")
                + (units == 1 ? " finds " : " find ")
                + (detectable == null ? "no difference" : share(detectable));
    }

    private static String share(@Nullable Double share) {
        return share == null ? Numbers.UNKNOWN : String.format(Locale.ROOT, "%.1f pp", share * 100);
    }

    private static String flip(ComparedFlip flip) {
        return (flip.difference() < 0 ? "regressed " : "improved ") + flip.caseId() + ": " + Numbers.percent(flip.a())
                + " → " + Numbers.percent(flip.b()) + " (p " + p(flip.p()) + ", q " + p(flip.q()) + ")";
    }

    private static String moreFlips(ComparisonReport report) {
        int more = report.flips().size() - MOST_FLIPS;
        return more > 0 ? "… and " + Numbers.count(more, "more case") + ": --json has all\n" : "";
    }

    private static String markdownTable(List<String> headings, List<List<String>> rows) {
        StringBuilder table = new StringBuilder("\n").append(markdownRow(headings));
        table.append("|---").append("|---:".repeat(headings.size() - 1)).append("|\n");
        rows.forEach(row -> table.append(markdownRow(row)));
        return table.toString();
    }

    private static String markdownRow(List<String> cells) {
        StringBuilder row = new StringBuilder("|");
        cells.forEach(cell -> row.append(' ').append(escaped(cell)).append(" |"));
        return row.append('\n').toString();
    }

    /** The text with its Markdown escaped: names of users must not become markup. */
    private static String escaped(String text) {
        return Excerpt.of(text, Integer.MAX_VALUE)
                .replaceAll("([\\\\`*_\\[\\]|#])", "\\\\$1")
                .replace("&", "&amp;")
                .replace("<", "&lt;");
    }
}

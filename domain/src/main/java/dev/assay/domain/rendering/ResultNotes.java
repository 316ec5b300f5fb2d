package dev.assay.domain.rendering;

import dev.assay.domain.report.BaselineReport;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.EarlyStop;
import dev.assay.domain.report.GateReport;
import dev.assay.domain.report.PositionSummary;
import dev.assay.domain.report.ReducerRate;
import dev.assay.domain.report.Repeatability;
import dev.assay.domain.report.RerunVerdicts;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.domain.statistics.judging.BradleyTerryRating;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.UsageTotal;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The lines below the table of a result: what its numbers are worth, and the usage of judging. */
public final class ResultNotes {

    private static final double NEARLY_ALWAYS = 0.99;
    private static final double NEARLY_NEVER = 0.01;

    private ResultNotes() {}

    /** The lines, each with its line break. Their commands do not say where the campaign is. */
    public static String of(String campaignId, CampaignSummary summary) {
        return of(campaignId, summary, UnaryOperator.identity());
    }

    /**
     * The lines, each with its line break.
     *
     * @param pasted makes a command one that can be pasted
     */
    public static String of(String campaignId, CampaignSummary summary, UnaryOperator<String> pasted) {
        List<String> lines = new ArrayList<>();
        summary.branches()
                .forEach(branch -> branch.reducers()
                        .forEach((name, rate) -> lines.add(name + " of " + branch.branchId() + ": " + reduced(rate))));
        summary.gate().baselines().forEach(one -> lines.add(beside(one)));
        summary.branches().forEach(branch -> asked(campaignId, branch, pasted, lines));
        again(summary.reruns(), lines);
        reused(summary, lines);
        delivered(summary.total(), lines);
        early(summary, lines);
        again(summary).forEach(lines::add);
        judging(summary, lines);
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static String reduced(ReducerRate rate) {
        if (rate.why() != null) {
            return switch (rate.why()) {
                case TOO_FEW_TRIALS -> "not defined, each case has too few trials";
                case MISSING_EVIDENCE -> "not defined, no case has trials enough with evidence";
            };
        }
        return Numbers.percent(rate.value()) + " (" + Numbers.interval(rate.low(), rate.high()) + "), "
                + Numbers.count(rate.cases(), "case")
                + (rate.undefined() == 0 ? "" : ", not defined for " + Numbers.count(rate.undefined()));
    }

    /** What was not asked, and which errors there are. */
    private static void asked(
            String campaignId, BranchSummary branch, UnaryOperator<String> pasted, List<String> lines) {
        BranchSummary.TrialCounts trials = branch.trials();
        if (trials.notNeeded() > 0) {
            lines.add(branch.branchId() + ": " + Numbers.count(trials.passed()) + " of "
                    + Numbers.count(trials.asked()) + " asked passed, " + Numbers.count(trials.notNeeded())
                    + " not needed");
        }
        if (!trials.errorCodes().isEmpty()) {
            String codes = trials.errorCodes().entrySet().stream()
                    .map(code -> Numbers.count(code.getValue()) + " " + code.getKey())
                    .collect(Collectors.joining(", "));
            lines.add("Errors of " + branch.branchId() + ": " + codes + ". Ask these cells again with: "
                    + pasted.apply("assay rerun " + campaignId + " --errored --branch " + branch.branchId()));
        }
    }

    private static void again(CampaignSummary.Reruns reruns, List<String> lines) {
        if (reruns.redrawn() > 0) {
            lines.add("Asked again after a result: " + Numbers.count(reruns.redrawn(), "cell")
                    + "; the first draw counts");
        }
        if (reruns.wholeReruns() > 0) {
            lines.add("Asked again as a whole: " + Numbers.count(reruns.wholeReruns(), "time")
                    + "; earlier draws do not count");
        }
    }

    private static void reused(CampaignSummary summary, List<String> lines) {
        CampaignSummary.Reused reused = summary.reused();
        if (reused == null) {
            return;
        }
        lines.add("Reused: " + Numbers.count(reused.cells(), "stored answer")
                + (reused.calls() == 0 ? "" : ", " + Numbers.count(reused.calls(), "call") + " of judges and graders")
                + (reused.savedUsd() == null ? "" : "; " + Numbers.cost(reused.savedUsd()) + " not paid again"));
        long trials = summary.branches().stream()
                .mapToLong(branch -> branch.trials().asked())
                .sum();
        if (2 * reused.cells() > trials && reused.answeredFrom() != null) {
            lines.add("The rates speak of stored answers, given from " + day(reused.answeredFrom()) + " to "
                    + day(reused.answeredTo()));
        }
    }

    /** The cost by the way in which cells were asked. */
    private static void delivered(Spend total, List<String> lines) {
        Spend.Batched batched = total.batched();
        if (batched == null) {
            return;
        }
        BigDecimal byBatch = batched.costUsd();
        BigDecimal all = total.costUsd();
        BigDecimal live = all == null || byBatch == null ? all : all.subtract(byBatch);
        lines.add("Cost by batch: " + Numbers.cost(byBatch) + " for " + asked(batched)
                + (batched.assumed() ? ", at an assumed price (half the live one)" : "") + "; live: "
                + Numbers.cost(live));
    }

    /** Such as {@code 20 cells and 40 calls of judges and graders}. */
    private static String asked(Spend.Batched batched) {
        String calls = batched.calls() == 0 ? "" : Numbers.count(batched.calls(), "call") + " of judges and graders";
        String cells = batched.cells() == 0 ? "" : Numbers.count(batched.cells(), "cell");
        return cells.isEmpty() || calls.isEmpty() ? cells + calls : cells + " and " + calls;
    }

    private static String day(@Nullable Instant at) {
        return at == null ? Numbers.UNKNOWN : at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static void early(CampaignSummary summary, List<String> lines) {
        EarlyStop.Saved saved = summary.saved();
        if (saved != null) {
            BigDecimal cost = saved.costUsd();
            lines.add("Stopped early: " + Numbers.count(saved.calls(), "call") + " saved"
                    + (cost == null ? "" : ", about " + Numbers.cost(cost)));
        }
        summary.branches().forEach(branch -> {
            Double bound = branch.early().bound();
            if (bound != null) {
                lines.add("Verdict of " + branch.branchId() + ": " + branch.verdict() + ", wrong in at most "
                        + Numbers.percent(bound) + " of campaigns");
            }
        });
    }

    private static String beside(BaselineReport one) {
        BaselineReport.Difference difference = one.difference();
        Double known = difference.known() == null ? difference.value() : difference.known();
        Double low = difference.low();
        Double high = difference.high();
        String said = difference.cases() == 0 || known == null
                ? difference.cases() == 0 ? "no shared case" : "nothing is known of a shared case"
                : String.format(Locale.ROOT, "%+.1f pp", known * 100)
                        + (low == null || high == null
                                ? " (no interval: all cases are of one group)"
                                : String.format(Locale.ROOT, " (%+.1f to %+.1f)", low * 100, high * 100))
                        + ", " + Numbers.count(difference.cases(), "shared case");
        return one.branchId() + " beside the baseline " + one.campaign() + ": " + said + "; " + one.verdict();
    }

    /** Whether a re-run would pass. Of older summaries nothing is known. */
    private static Stream<String> again(CampaignSummary summary) {
        GateReport gate = summary.gate();
        Double passes = gate.rerun().rerunPass();
        if (passes == null) {
            return Stream.ofNullable(unknownAgain(summary));
        }
        int flaky = summary.gatedBranches().stream()
                .mapToInt(branch -> branch.repeatability().flakyCases().size())
                .sum();
        return Stream.of("Run again, this gate would pass in " + Numbers.wholePercent(passes) + " of runs"
                + range(gate.rerun()) + ": " + flaky(flaky, passes) + ".");
    }

    private static @Nullable String unknownAgain(CampaignSummary summary) {
        List<Repeatability.Why> reasons = summary.gatedBranches().stream()
                .map(branch -> branch.repeatability().why())
                .filter(Objects::nonNull)
                .toList();
        if (reasons.contains(Repeatability.Why.TRIALS_ALIKE)) {
            return "Too alike to say whether this gate would pass again: more than nine of ten repeated answers are the"
                    + " same text.";
        }
        return reasons.contains(Repeatability.Why.TOO_FEW_REPEATS)
                ? "Too few repeats to say whether this gate would pass again: it takes ten trials that repeat a case."
                : null;
    }

    /** How far the share may be off; nothing where that changes no shown digit, and in older summaries. */
    private static String range(RerunVerdicts rerun) {
        Double low = rerun.rerunLow();
        Double high = rerun.rerunHigh();
        if (low == null || high == null) {
            return "";
        }
        String from = Numbers.wholePercent(low);
        String to = Numbers.wholePercent(high);
        boolean isShort = Character.isDigit(from.charAt(0)) && Character.isDigit(to.charAt(0));
        return from.equals(to) ? "" : " (" + (isShort ? from.replace(" %", "") + "–" : from + " to ") + to + ")";
    }

    /** Flaky cases decide only where the verdict is not nearly certain. */
    private static String flaky(int cases, double passes) {
        if (cases == 0) {
            return "no case is flaky";
        }
        boolean decide = passes > NEARLY_NEVER && passes < NEARLY_ALWAYS;
        return Numbers.count(cases, "flaky case")
                + (decide
                        ? (cases == 1 ? " decides it" : " decide it")
                        : (cases == 1 ? " changes" : " change") + " little");
    }

    private static String calls(int calls, Spend spend) {
        return Numbers.count(calls, "call") + ", " + tokens(spend.tokens()) + ", cost " + Numbers.spent(spend);
    }

    private static String tokens(UsageTotal tokens) {
        String known = Numbers.tokens(tokens, sum -> Numbers.count(sum, "token"));
        return known.equals(Numbers.UNKNOWN) ? known + " tokens" : known;
    }

    private static void judging(CampaignSummary summary, List<String> lines) {
        CampaignSummary.JudgeCalls judge = summary.judge();
        if (judge.calls() > 0) {
            lines.add("Judge: " + calls(judge.calls(), judge.spend()));
            if (judge.shortened() > 0) {
                lines.add(Numbers.count(judge.shortened()) + " of " + Numbers.count(judge.calls(), "judge call")
                        + " read shortened answers or context; " + Numbers.count(judge.overLimit())
                        + " exceeded the limit");
            }
        }
        if (summary.graders() != null) {
            lines.add("Graders: "
                    + calls(summary.graders().calls(), summary.graders().spend()));
        }
        if (judge.agreement() != null) {
            lines.add("Agreement of the judges: " + agreement(judge.agreement()));
        }
        if (judge.position() != null) {
            lines.add(position(judge.position()));
        }
        judge.ranking().forEach(rating -> lines.add(rating(rating)));
        int undecided = summary.selections().undecided();
        if (undecided > 0) {
            lines.add("Undecided: " + Numbers.count(undecided, "trial")
                    + (undecided == 1 ? "; it counts" : "; they count") + " as no branch's win");
        }
    }

    private static String position(PositionSummary position) {
        return "First response named in " + Numbers.percent(position.first()) + " of "
                + Numbers.count(position.readings(), "reading") + " ("
                + Numbers.interval(position.low(), position.high()) + "; without a bias "
                + Numbers.percent(position.expected()) + ")"
                + (position.oneOrder() ? "; one order was shown, so place and branch cannot be told apart" : "");
    }

    private static String rating(BradleyTerryRating rating) {
        String pairs = String.format(
                Locale.ROOT,
                "Pairs of %s: %s, %s, %s",
                rating.branchId(),
                Numbers.count(rating.wins(), "win"),
                Numbers.count(rating.ties(), "tie"),
                Numbers.count(rating.losses()) + (rating.losses() == 1 ? " loss" : " losses"));
        if (rating.ability() == null) {
            return pairs;
        }
        String ability = String.format(Locale.ROOT, "%s; ability %+.2f", pairs, rating.ability());
        return rating.low() == null || rating.high() == null
                ? ability
                : ability + String.format(Locale.ROOT, " (%+.2f to %+.2f)", rating.low(), rating.high());
    }

    private static String agreement(Agreement agreement) {
        Double low = agreement.low();
        Double high = agreement.high();
        String interval = low == null || high == null ? "" : String.format(Locale.ROOT, " (%.2f to %.2f)", low, high);
        return agreement.alpha() == null
                ? "not defined, their values do not differ"
                : String.format(
                        Locale.ROOT,
                        "Krippendorff's alpha %.2f%s, %s",
                        agreement.alpha(),
                        interval,
                        Numbers.count(agreement.units(), "comparison"));
    }
}

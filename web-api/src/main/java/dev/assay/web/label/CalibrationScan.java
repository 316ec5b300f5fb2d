package dev.assay.web.label;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelValue;
import dev.assay.domain.label.NamedCheck;
import dev.assay.domain.label.PeoplesVerdict;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.domain.statistics.judging.Confusion;
import dev.assay.domain.statistics.judging.KrippendorffAlpha;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.CalibrationQueries.Place;
import dev.assay.store.label.JudgedCell;
import dev.assay.store.label.StoredSample;
import dev.assay.store.page.PageToken;
import dev.assay.web.label.CalibrationView.Disagreement;
import dev.assay.web.label.CalibrationView.Disagreements;
import dev.assay.web.label.CalibrationView.EvaluatorCells;
import dev.assay.web.label.CalibrationView.LabelCounts;
import dev.assay.web.outcome.LabelView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the answers of a campaign beside their labels, one by one. Not safe for use by several threads. */
final class CalibrationScan {

    private static final int EVALUATORS = 100;

    /** Fewer labelled trials than this make wide intervals. */
    private static final int FEW = 30;

    private final StoredCampaign campaign;
    private final @Nullable NamedCheck named;
    private final LabelledCells labels;
    private final List<CalibrationBranch> branches;
    private final List<Labelled> labelled = new ArrayList<>();

    /** An answer with labels. */
    private record Labelled(
            JudgedCell cell,
            int caseIndex,
            List<Label> labels,
            @Nullable Boolean verdict) {

        @Nullable
        Boolean people() {
            return PeoplesVerdict.of(labels.stream().map(Label::value).toList()).passes();
        }

        boolean isOf(Set<Integer> branches) {
            return branches.contains(cell.branchIndex());
        }
    }

    CalibrationScan(StoredCampaign campaign, @Nullable String check, LabelledCells labels) {
        this.campaign = campaign;
        this.named = check == null ? null : new NamedCheck(check);
        this.labels = labels;
        this.branches = IntStream.range(0, campaign.definition().branches().size())
                .mapToObj(_ -> new CalibrationBranch())
                .toList();
    }

    void add(JudgedCell cell) {
        CheckResult decided = named == null ? null : named.of(cell.checks());
        Boolean verdict = named == null ? cell.passed() : NamedCheck.verdict(decided);
        List<CheckResult> checks = named == null ? cell.checks() : decided == null ? List.of() : List.of(decided);
        int caseIndex = campaign.grid().caseIndex(cell.ordinal());
        CalibrationBranch branch = branches.get(cell.branchIndex());
        branch.add(caseIndex, cell, verdict == null ? null : evaluator(checks));
        List<Label> said = labels.at(new Place(cell.ordinal(), cell.branchIndex()));
        branch.tally().add(caseIndex, verdict, said.stream().map(Label::value).toList());
        if (!said.isEmpty()) {
            labelled.add(new Labelled(cell, caseIndex, said, verdict));
        }
    }

    /** The hash of what decided: that of the only evaluator, else of the hashes of all; null: there is no check. */
    private static @Nullable String evaluator(List<CheckResult> checks) {
        SortedSet<String> hashes = new TreeSet<>();
        collect(checks, hashes);
        if (hashes.isEmpty()) {
            return null;
        }
        if (hashes.contains(CalibrationBranch.UNKNOWN)) {
            return CalibrationBranch.UNKNOWN;
        }
        return hashes.size() == 1 ? hashes.getFirst() : RequestKey.sha256(String.join("\n", hashes));
    }

    private static void collect(List<CheckResult> checks, SortedSet<String> hashes) {
        for (CheckResult check : checks) {
            String own = check.evaluator();
            if (own != null) {
                hashes.add(own);
            } else if (check.members().isEmpty()) {
                hashes.add(CalibrationBranch.UNKNOWN);
            }
            collect(check.members(), hashes);
        }
    }

    /** @throws AssayException INVALID_INPUT when no check, or more than one, has the name that was asked for */
    void check() {
        String problem = named == null ? null : named.problem();
        if (problem != null) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid", List.of(new FieldError("check", problem)));
        }
    }

    CalibrationBranch branch(int index) {
        return branches.get(index);
    }

    boolean isMixed() {
        return branches.stream().anyMatch(CalibrationBranch::isMixed);
    }

    /** The hashes of all evaluators. */
    Set<String> hashes() {
        Set<String> hashes = new TreeSet<>();
        branches.forEach(branch -> hashes.addAll(branch.evaluators().keySet()));
        return hashes;
    }

    /** What people and the evaluator say of all branches together. */
    Confusion confusion() {
        PairedVerdicts verdicts = new PairedVerdicts();
        labelled.forEach(one -> {
            Boolean people = one.people();
            Boolean verdict = one.verdict();
            if (people != null && verdict != null) {
                verdicts.add(one.caseIndex(), people, verdict);
            }
        });
        return verdicts.counts();
    }

    List<EvaluatorCells> evaluators(Set<Integer> shown) {
        Map<String, Long> cells = new TreeMap<>();
        shown.forEach(index ->
                branches.get(index).evaluators().forEach((hash, count) -> cells.merge(hash, count, Long::sum)));
        return cells.entrySet().stream()
                .map(one -> new EvaluatorCells(
                        one.getKey().equals(CalibrationBranch.UNKNOWN) ? null : one.getKey(), one.getValue()))
                .sorted(Comparator.comparingLong(EvaluatorCells::cells).reversed())
                .limit(EVALUATORS)
                .toList();
    }

    LabelCounts counts(Set<Integer> shown, @Nullable StoredSample sample) {
        List<Labelled> some = labelled.stream().filter(one -> one.isOf(shown)).toList();
        return new LabelCounts(
                some.size(),
                (int) some.stream().map(Labelled::caseIndex).distinct().count(),
                (int) some.stream()
                        .flatMap(one -> one.labels().stream())
                        .map(Label::labeller)
                        .distinct()
                        .count(),
                (int) some.stream()
                        .filter(one -> one.labels().stream().anyMatch(label -> label.sample() != null))
                        .count(),
                sample == null ? null : sample.id());
    }

    Agreement people(Set<Integer> shown) {
        KrippendorffAlpha<Boolean> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
        labelled.stream()
                .filter(one -> one.isOf(shown))
                .forEach(one -> alpha.add(
                        one.caseIndex(),
                        one.labels().stream()
                                .map(Label::value)
                                .filter(value -> value.score() != null)
                                .map(value -> value.verdict() == LabelValue.Word.PASS)
                                .toList()));
        return alpha.agreement(Quantiles.LEVEL);
    }

    Disagreements disagreements(Set<Integer> shown, int pageSize, int from) {
        List<Disagreement> all = labelled.stream()
                .filter(one -> one.isOf(shown))
                .filter(one -> one.people() != null
                        && one.verdict() != null
                        && !one.people().equals(one.verdict()))
                .sorted(Comparator.comparingInt((Labelled one) -> Boolean.TRUE.equals(one.verdict()) ? 0 : 1)
                        .thenComparingInt(Labelled::caseIndex)
                        .thenComparingInt(one -> one.cell().branchIndex())
                        .thenComparingInt(one -> one.cell().trial()))
                .map(this::disagreement)
                .toList();
        int begin = Math.min(from, all.size());
        int end = Math.min(begin + pageSize, all.size());
        return new Disagreements(
                all.subList(begin, end),
                end == all.size() ? null : PageToken.of(end).text());
    }

    private Disagreement disagreement(Labelled one) {
        boolean verdict = Boolean.TRUE.equals(one.verdict());
        return new Disagreement(
                one.cell().caseId(),
                one.cell().branchId(),
                one.cell().trial(),
                verdict,
                !verdict,
                one.labels().stream().map(LabelView::of).toList(),
                reason(one.cell(), verdict));
    }

    private @Nullable String reason(JudgedCell cell, boolean verdict) {
        if (named != null) {
            CheckResult decided = named.of(cell.checks());
            return decided == null ? null : decided.reason();
        }
        CheckResult.Status wanted = verdict ? CheckResult.Status.PASSED : CheckResult.Status.FAILED;
        return cell.checks().stream()
                .filter(check -> check.required() && check.status() == wanted)
                .map(CheckResult::reason)
                .findFirst()
                .orElse(null);
    }

    List<String> warnings(Set<Integer> shown, @Nullable StoredSample sample) {
        List<String> warnings = new ArrayList<>();
        long some = labelled.stream().filter(one -> one.isOf(shown)).count();
        if (some > 0 && some < FEW) {
            warnings.add("Only " + some + " answers have labels: the intervals are wide.");
        }
        if (shown.stream().anyMatch(index -> branches.get(index).isMixed())) {
            warnings.add("Trials of one case were decided by different evaluators: no rate is corrected.");
        }
        if (sample != null && sample.campaignId().equals(campaign.id())) {
            List<String> ids = campaign.definition().branches().stream()
                    .map(branch -> branch.id())
                    .toList();
            long now = IntStream.range(0, ids.size())
                    .filter(index -> sample.branches().contains(ids.get(index)))
                    .mapToLong(index -> branches.get(index).answers())
                    .sum();
            if (now != sample.population()) {
                warnings.add("The sample was taken of " + sample.population() + " answers, and there are " + now
                        + " now: it says nothing of the others.");
            }
        }
        return warnings;
    }
}

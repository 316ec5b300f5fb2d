package dev.assay.web.label;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.CorrectedRate;
import dev.assay.domain.label.CorrectedRate.Why;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.CalibrationQueries;
import dev.assay.store.label.SampleRepository;
import dev.assay.store.label.StoredSample;
import dev.assay.web.campaign.CampaignQueries;
import dev.assay.web.label.CalibrationView.BranchCalibration;
import dev.assay.web.label.CalibrationView.People;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sets the verdicts of a campaign beside people's labels. */
@Singleton
final class CalibrationReads {

    /** Asks for labels, whether a sample asked for them or not. */
    private static final String ALL = "all";

    private final CampaignQueries campaigns;
    private final CalibrationQueries queries;
    private final SampleRepository samples;

    CalibrationReads(CampaignQueries campaigns, CalibrationQueries queries, SampleRepository samples) {
        this.campaigns = campaigns;
        this.queries = queries;
        this.samples = samples;
    }

    /**
     * What is asked for.
     *
     * @param branchId of this branch alone; null: of each
     * @param check of this check; null: whether trials pass
     * @param labels a sample, {@code all} or another campaign; null: the newest sample with labels, else all
     */
    record Asked(
            @Nullable String branchId,
            @Nullable String check,
            @Nullable String labels) {}

    /**
     * What labels count.
     *
     * @param sample only those that came with it; null: all
     * @param from the campaign whose labels correct the rate; null: this one
     */
    private record Choice(
            @Nullable StoredSample sample, @Nullable StoredCampaign from) {}

    /**
     * The calibration of a campaign.
     *
     * @throws AssayException INVALID_INPUT when the campaign lacks the branch, the check or the labels that are asked for
     */
    CalibrationView read(StoredCampaign campaign, Asked asked, int pageSize, int from) {
        List<String> branches =
                campaign.definition().branches().stream().map(Branch::id).toList();
        if (asked.branchId() != null && !branches.contains(asked.branchId())) {
            throw wrong("branchId", "Campaign " + campaign.id() + " has no branch " + asked.branchId());
        }
        LabelledCells labels = LabelledCells.of(queries.labels(campaign), asked.check());
        Choice choice = choice(campaign, asked.labels(), labels);
        CalibrationScan scan = new CalibrationScan(
                campaign,
                asked.check(),
                choice.sample() == null ? labels : labels.of(choice.sample().id()));
        queries.answers(campaign, scan::add);
        scan.check();
        CalibrationScan there = choice.from() == null ? null : there(choice.from(), asked, scan, campaign);
        Map<String, BranchSummary> reported = asked.check() == null ? reported(campaign) : Map.of();
        List<BranchCalibration> calibrated = new ArrayList<>();
        for (int index = 0; index < branches.size(); index++) {
            String id = branches.get(index);
            if (asked.branchId() == null || asked.branchId().equals(id)) {
                calibrated.add(branch(scan.branch(index), reported.get(id), id, campaign, choice.sample(), there));
            }
        }
        Set<Integer> shown =
                calibrated.stream().map(one -> branches.indexOf(one.branchId())).collect(Collectors.toSet());
        return new CalibrationView(
                campaign.id(),
                asked.check(),
                scan.evaluators(shown),
                scan.counts(shown, choice.sample()),
                calibrated,
                People.of(scan.people(shown)),
                scan.disagreements(shown, pageSize, from),
                scan.warnings(shown, choice.sample()));
    }

    private static BranchCalibration branch(
            CalibrationBranch branch,
            @Nullable BranchSummary reported,
            String id,
            StoredCampaign campaign,
            @Nullable StoredSample sample,
            @Nullable CalibrationScan there) {
        var calibrated = branch.tally().calibrated(branch.obstacle(campaign, id, sample), Quantiles.LEVEL);
        CorrectedRate corrected = there == null
                ? calibrated.corrected()
                : CorrectedRate.transferred(
                        branch.tally().rate(campaign.caseCount(), campaign.trials(), Quantiles.LEVEL),
                        there.confusion(),
                        Quantiles.LEVEL);
        return BranchCalibration.of(
                id,
                calibrated,
                reported == null
                        ? branch.tally().proportion(campaign.caseCount(), campaign.trials(), Quantiles.LEVEL)
                        : reported.trialPassRate(),
                branch.isMixed() && there != null
                        ? CorrectedRate.none(CorrectedRate.Method.ROGAN_GLADEN, Why.MIXED_EVALUATORS)
                        : corrected);
    }

    private Map<String, BranchSummary> reported(StoredCampaign campaign) {
        return campaigns.summary(campaign).branches().stream()
                .collect(Collectors.toMap(BranchSummary::branchId, Function.identity()));
    }

    private Choice choice(StoredCampaign campaign, @Nullable String asked, LabelledCells labels) {
        if (asked == null) {
            return new Choice(
                    queries.newest(labels.samples()).flatMap(samples::find).orElse(null), null);
        }
        if (asked.equals(ALL)) {
            return new Choice(null, null);
        }
        StoredSample sample = samples.find(asked).orElse(null);
        return sample == null && !asked.equals(campaign.id())
                ? new Choice(null, campaigns.required(asked))
                : new Choice(sample, null);
    }

    /** The labels of another campaign, whose evaluators must be those of this one. */
    private CalibrationScan there(StoredCampaign from, Asked asked, CalibrationScan here, StoredCampaign campaign) {
        CalibrationScan there =
                new CalibrationScan(from, asked.check(), LabelledCells.of(queries.labels(from), asked.check()));
        queries.answers(from, there::add);
        there.check();
        Set<String> ours = here.hashes();
        Set<String> theirs = there.hashes();
        if (!ours.equals(theirs) || ours.isEmpty() || ours.contains(CalibrationBranch.UNKNOWN) || there.isMixed()) {
            throw wrong(
                    "labels",
                    "Campaign " + campaign.id() + " was judged by " + named(ours) + ", and " + from.id() + " by "
                            + named(theirs) + ": labels correct only rates of the same evaluator");
        }
        return there;
    }

    private static String named(Set<String> hashes) {
        return hashes.isEmpty()
                ? "no evaluator"
                : hashes.stream()
                        .limit(3)
                        .map(hash -> hash.equals(CalibrationBranch.UNKNOWN)
                                ? "a build that noted no evaluator"
                                : "evaluator " + hash)
                        .collect(Collectors.joining(", ", "", hashes.size() > 3 ? " and others" : ""));
    }

    private static AssayException wrong(String name, String message) {
        return AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError(name, message)));
    }
}

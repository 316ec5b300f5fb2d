package dev.assay.campaigns.plan;

import dev.assay.campaigns.baseline.Baselines;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.estimate.NoRate;
import dev.assay.domain.estimate.RecordedRate;
import dev.assay.domain.estimate.RecordedRuns;
import dev.assay.domain.estimate.RecordedRuns.AskedModel;
import dev.assay.domain.estimate.RecordedUse;
import dev.assay.domain.suite.Suite;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.estimate.RecordedRunsRepository;
import dev.assay.store.estimate.RecordedRunsRepository.EndedBranch;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the records of earlier campaigns from which a new one is planned. What is done first is no sample, and other cases are
 * others: a pass rate comes from campaigns that ended and had the same cases.
 */
@Singleton
public class EarlierRuns {

    private final RecordedRunsRepository recorded;
    private final CampaignRepository campaigns;
    private final ComparisonRepository trials;
    private final Baselines baselines;
    private final BatchRepository batches;

    EarlierRuns(
            RecordedRunsRepository recorded,
            CampaignRepository campaigns,
            ComparisonRepository trials,
            Baselines baselines,
            BatchRepository batches) {
        this.batches = batches;
        this.recorded = recorded;
        this.campaigns = campaigns;
        this.trials = trials;
        this.baselines = baselines;
    }

    /**
     * The records that say something of {@code planned}. The use of tokens comes from the newest campaign of the same name that asked
     * a model, else from the newest of any name. That one need not have ended, nor have the same cases. The pass rate comes from one
     * that has both.
     *
     * @param from only from this campaign; null: from any
     */
    @ReadOnly
    public RecordedRuns find(CampaignSubmission planned, @Nullable String from) {
        CampaignDefinition definition = planned.definition();
        Map<String, RecordedUse> branches = new HashMap<>();
        Map<AskedModel, List<Duration>> lasted = new HashMap<>();
        definition
                .agentsAsked()
                .flatMap(agent -> agent.modelAsked().stream())
                .map(AskedModel::of)
                .distinct()
                .forEach(model -> lasted.put(model, batches.lastDurations(model.provider(), model.model())));
        String first = null;
        for (Branch branch : definition.branches()) {
            RecordedUse found = use(branch, definition.name(), from).orElse(null);
            if (found != null) {
                branches.put(branch.id(), found);
                first = first == null ? found.campaignId() : first;
            }
        }
        StoredCampaign earlier = first == null ? null : campaigns.find(first).orElse(null);
        RecordedRate rate = rate(planned, from);
        StoredCampaign named =
                from == null || rate != null ? null : campaigns.find(from).orElse(null);
        return new RecordedRuns(
                branches,
                lasted,
                earlier == null ? null : judges(definition, earlier),
                rate,
                named == null ? null : why(planned, named),
                baselines.planned(planned));
    }

    private Optional<RecordedUse> use(Branch branch, String name, @Nullable String from) {
        return branch.agent()
                .modelAsked()
                .flatMap(choice -> recorded.ofModel(choice, name, from)
                        .map(use -> use.seconds() == null
                                ? use.taking(recorded.meanLiveCall(choice.provider(), choice.model())
                                        .orElse(null))
                                : use));
    }

    /** Judges with other settings, or with the answers of more branches, use other amounts. */
    private @Nullable RecordedUse judges(CampaignDefinition planned, StoredCampaign earlier) {
        boolean alike = earlier.definition().strategy().equals(planned.strategy())
                && earlier.definition().branches().size() == planned.branches().size();
        return alike ? recorded.ofJudges(earlier.id()).orElse(null) : null;
    }

    /**
     * The rate of the newest campaign of the same name, else of any name, that ran the same cases on a planned branch.
     *
     * @param from only from this campaign; null: from any
     * @return null: there is none
     */
    private @Nullable RecordedRate rate(CampaignSubmission planned, @Nullable String from) {
        Map<String, String> ids = new HashMap<>();
        for (Branch branch : planned.definition().branches()) {
            for (EndedBranch ended : ended(branch, planned, from)) {
                if (ended.suiteId().equals(idNamed(planned.suite(), ended.suiteName(), ids))) {
                    RecordedRate rate = rate(ended);
                    if (rate != null) {
                        return rate;
                    }
                }
            }
        }
        return null;
    }

    private List<EndedBranch> ended(Branch branch, CampaignSubmission planned, @Nullable String from) {
        return recorded.ended(
                branch, planned.suite().cases().size(), planned.definition().name(), from);
    }

    /** The name of a suite is part of its id: the same cases under another name are the same suite. */
    private static String idNamed(Suite suite, String name, Map<String, String> known) {
        return known.computeIfAbsent(name, other -> CaseRepository.id(new Suite(other, suite.cases())));
    }

    private @Nullable RecordedRate rate(EndedBranch ended) {
        StoredCampaign campaign = campaigns.find(ended.campaignId()).orElse(null);
        return campaign == null
                ? null
                : RecordedRate.of(
                        campaign.id(),
                        trials.askedCases(campaign, ended.branchIndex()).stream()
                                .map(ComparedCase::counts)
                                .toList());
    }

    /** Why {@code from} says nothing of the rate. */
    private NoRate why(CampaignSubmission planned, StoredCampaign from) {
        if (!from.state().ended()) {
            return NoRate.NOT_ENDED;
        }
        String id =
                CaseRepository.id(new Suite(from.suite().name(), planned.suite().cases()));
        if (!from.suiteId().equals(id)) {
            return NoRate.OTHER_SUITE;
        }
        boolean asked = planned.definition().branches().stream()
                .anyMatch(branch -> !ended(branch, planned, from.id()).isEmpty());
        return asked ? NoRate.NOTHING_KNOWN : NoRate.OTHER_MODELS;
    }
}

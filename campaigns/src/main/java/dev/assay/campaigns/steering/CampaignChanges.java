package dev.assay.campaigns.steering;

import dev.assay.campaigns.scoring.ScoringGuard;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.stop.StopRule;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outage.KeyRepository;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.steering.RerunCells;
import dev.assay.store.steering.SteeringRepository;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steers campaigns: every change is one idempotent transaction. The caller signals the campaign's workflow afterwards.
 *
 * <p>A change that opens cells lets a campaign that has ended go on, in a new epoch; a paused one waits until it is resumed.
 */
@Singleton
public class CampaignChanges {

    private final SteeringRepository store;
    private final CampaignRepository campaigns;
    private final CaseRepository cases;
    private final ProviderQueries providers;
    private final RerunCells rerunCells;
    private final InterruptedLoops interrupted;
    private final KeyRepository keys;
    private final ScoringGuard scorings;

    CampaignChanges(
            SteeringRepository store,
            CampaignRepository campaigns,
            CaseRepository cases,
            ProviderQueries providers,
            RerunCells rerunCells,
            InterruptedLoops interrupted,
            KeyRepository keys,
            ScoringGuard scorings) {
        this.store = store;
        this.campaigns = campaigns;
        this.cases = cases;
        this.providers = providers;
        this.rerunCells = rerunCells;
        this.interrupted = interrupted;
        this.keys = keys;
        this.scorings = scorings;
    }

    /**
     * Pauses, resumes or cancels. A COMPLETED campaign without an open trial stays as it is when it is resumed.
     *
     * @return the campaign after the change
     * @throws AssayException NOT_FOUND; CONFLICT when its state refuses the verb, or when it is an evaluation that is not cancelled
     */
    @Transactional
    public StoredCampaign steer(String campaignId, SteeringVerb verb) {
        return steer(campaignId, verb, null);
    }

    private StoredCampaign steer(String campaignId, SteeringVerb verb, @Nullable EndInTemporal end) {
        StoredCampaign before = store.lock(campaignId);
        if (verb != SteeringVerb.CANCEL) {
            refuseEvaluation(before, verb.participle());
        }
        if (verb == SteeringVerb.RESUME) {
            ScoringGuard.requireNoImport(before);
            scorings.requireNoCopy(before, verb.participle());
        }
        if (verb.isContentWith(before.state(), hasSkipped(before))) {
            return before;
        }
        StoredCampaign after = campaigns
                .transition(campaignId, verb.from(), verb.to(), verb.raisesEpoch(), reason(before, end))
                .orElseThrow(() -> new AssayException(
                        ErrorCode.CONFLICT,
                        "Campaign " + campaignId + " is " + before.state() + " and cannot be " + verb.participle()));
        if (verb == SteeringVerb.CANCEL) {
            interrupted.close(before);
        }
        if (verb == SteeringVerb.RESUME) {
            // A key may be mended whose value is the same: its account has money again.
            keys.probeNow(before.definition().poolsAsked());
        }
        return after;
    }

    /** Evaluations say of themselves that they were cancelled, and are not resumed. */
    private static @Nullable String reason(StoredCampaign campaign, @Nullable EndInTemporal end) {
        return end != null && campaign.purpose() instanceof StoredCampaign.SuiteRun
                ? end.sentence(campaign.id())
                : null;
    }

    /**
     * Cancels a campaign whose workflow an operator cancels.
     *
     * @return the campaign after the change
     * @throws AssayException NOT_FOUND; CONFLICT when it has ended otherwise
     */
    @Transactional
    public StoredCampaign cancelled(String campaignId, EndInTemporal end) {
        return steer(campaignId, SteeringVerb.CANCEL, end);
    }

    /**
     * Cancels a campaign whose workflow an operator ended, unless it has ended or its epoch has moved on.
     *
     * @return whether it did
     * @throws AssayException NOT_FOUND
     */
    @Transactional
    public boolean cancel(RunKey run, EndInTemporal end) {
        StoredCampaign before = store.lock(run.campaignId());
        boolean cancels =
                before.epoch() == run.epoch() && SteeringVerb.CANCEL.from().contains(before.state());
        if (cancels) {
            steer(run.campaignId(), SteeringVerb.CANCEL, end);
        }
        return cancels;
    }

    /**
     * Changes limits.
     *
     * @return the campaign after the change
     * @throws AssayException NOT_FOUND; CONFLICT for an evaluation; INVALID_INPUT with everything that the campaign cannot take
     */
    @Transactional
    public StoredCampaign change(String campaignId, LimitChange change) {
        StoredCampaign before = store.lock(campaignId);
        refuseEvaluation(before, "changed");
        LimitChange.Current now = current(before, change);
        change.check(now);
        LimitChange.Effect effect = change.effect(now);
        boolean addsTrials = change.trials() != null && change.trials() > before.trials();
        if (addsTrials || effect.goesOn()) {
            scorings.requireNoCopy(before, "changed so");
        }
        if (addsTrials || effect.goesOn()) {
            ScoringGuard.requireNoImport(before);
        }
        if (addsTrials) {
            ScoringGuard.requireAnswers(before);
        }
        store.setLimits(campaignId, change, effect.reopensSkipped() || (addsTrials && reopensNotNeeded(before)));
        return effect.goesOn() ? goOn(before) : campaigns.required(campaignId);
    }

    /**
     * Opens cells that failed or errored, or all of some branches, and the selections of their trials. Their earlier results are
     * kept as replaced results.
     *
     * @return the campaign after the change
     * @throws AssayException NOT_FOUND; CONFLICT for an evaluation; INVALID_INPUT with every case and branch that the campaign
     *     does not have
     */
    @Transactional
    public StoredCampaign rerun(String campaignId, Rerun rerun) {
        StoredCampaign before = store.lock(campaignId);
        refuseEvaluation(before, "run again");
        ScoringGuard.requireNoImport(before);
        scorings.requireNoCopy(before, "run again");
        if (rerun.only() != Rerun.Only.GRADES) {
            ScoringGuard.requireAnswers(before);
        }
        Rerun.Cells opened = rerun.cells(
                campaignId,
                cases.caseIds(before.suiteId()),
                before.definition().branches().stream().map(Branch::id).toList());
        if (!rerunCells.open(before, rerun, opened, reopensNotNeeded(before))) {
            return before;
        }
        return before.state().ended() ? goOn(before) : campaigns.required(campaignId);
    }

    /** Refuses evaluations. Their followers have received the end, so nothing may follow; a session goes on in another evaluation. */
    private static void refuseEvaluation(StoredCampaign campaign, String participle) {
        if (campaign.isEvaluation()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Evaluation " + campaign.id() + " cannot be " + participle
                            + ": cancel it, or go on from what it selected with /api/v1/evaluations/" + campaign.id()
                            + "/continue");
        }
    }

    private StoredCampaign goOn(StoredCampaign ended) {
        return campaigns
                .transition(ended.id(), Set.of(ended.state()), CampaignState.RUNNING, true, null)
                .orElseThrow();
    }

    private LimitChange.Current current(StoredCampaign campaign, LimitChange change) {
        boolean firstBudget = change.budgetUsd() != null && campaign.budgetUsd() == null;
        return new LimitChange.Current(
                campaign.state(),
                hasSkipped(campaign),
                campaign.definition(),
                campaign.caseCount(),
                campaign.trials(),
                campaign.budgetUsd(),
                store.committedUsd(campaign.id()),
                firstBudget ? providers.required() : Map.<String, ProviderInfo>of());
    }

    /** Whether cells that were not needed may be needed again; while the campaign runs, they are asked when no other is open. */
    private static boolean reopensNotNeeded(StoredCampaign campaign) {
        return campaign.stopping().rule() != StopRule.NONE && campaign.state().goesOn();
    }

    /** Whether trials of a COMPLETED campaign are open. */
    private boolean hasSkipped(StoredCampaign campaign) {
        return campaign.state() == CampaignState.COMPLETED && store.hasOpenTrials(campaign.id());
    }
}

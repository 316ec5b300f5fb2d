package dev.assay.store.steering;

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
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.Transactional;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steers campaigns: every change is one idempotent transaction. The caller signals the campaign's workflow afterwards.
 *
 * <p>A change that opens cells lets a campaign that has ended go on, in a new epoch; a paused one waits until it is resumed.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class SteeringRepository implements QueryRepository {

    private final Sql sql;
    private final CampaignRepository campaigns;
    private final ProviderQueries providers;
    private final RerunCells rerunCells;
    private final InterruptedLoops interrupted;

    SteeringRepository(
            Sql sql,
            CampaignRepository campaigns,
            ProviderQueries providers,
            RerunCells rerunCells,
            InterruptedLoops interrupted) {
        this.sql = sql;
        this.campaigns = campaigns;
        this.providers = providers;
        this.rerunCells = rerunCells;
        this.interrupted = interrupted;
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
        StoredCampaign before = locked(campaignId);
        if (verb != SteeringVerb.CANCEL) {
            refuseEvaluation(before, verb.participle());
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
        StoredCampaign before = locked(run.campaignId());
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
        StoredCampaign before = locked(campaignId);
        refuseEvaluation(before, "changed");
        LimitChange.Current now = current(before, change);
        change.check(now);
        LimitChange.Effect effect = change.effect(now);
        int trials = change.trials() == null ? before.trials() : change.trials();
        sql.update(
                """
                UPDATE campaign SET max_concurrent = coalesce(?, max_concurrent), budget_usd = coalesce(?, budget_usd),
                    trials = ?, reopens_skipped = reopens_skipped OR ?,
                    extensions = CASE WHEN ? > trials THEN extensions || (? - trials) ELSE extensions END
                WHERE campaign_id = ?\
                """,
                change.maxConcurrent(),
                change.budgetUsd(),
                trials,
                effect.reopensSkipped() || (trials > before.trials() && reopensNotNeeded(before)),
                trials,
                trials,
                campaignId);
        return effect.goesOn() ? goOn(before) : found(campaignId);
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
        StoredCampaign before = locked(campaignId);
        refuseEvaluation(before, "run again");
        if (!rerunCells.open(before, rerun, reopensNotNeeded(before))) {
            return before;
        }
        return before.state().ended() ? goOn(before) : found(campaignId);
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
                committedUsd(campaign.id()),
                firstBudget ? providers.required() : Map.<String, ProviderInfo>of());
    }

    @Query("""
        SELECT coalesce(sum(coalesce(settled_usd, 0) + coalesce(reserved_usd, 0) + coalesce(unknown_usd, 0)), 0)
        FROM campaign_spend WHERE campaign_id = :campaignId
        """)
    abstract BigDecimal committedUsd(String campaignId);

    /** Whether cells that were not needed may be needed again; while the campaign runs, they are asked when no other is open. */
    private static boolean reopensNotNeeded(StoredCampaign campaign) {
        return campaign.stopping().rule() != StopRule.NONE && campaign.state().goesOn();
    }

    /** Whether trials of a COMPLETED campaign are open. */
    private boolean hasSkipped(StoredCampaign campaign) {
        return campaign.state() == CampaignState.COMPLETED
                && sql.exists(
                        "SELECT 1 FROM trial WHERE campaign_id = ? AND NOT complete AND NOT not_needed LIMIT 1",
                        campaign.id());
    }

    /** The campaign, locked: no other change, no new outcome and no end of it is recorded until this transaction is over. */
    private StoredCampaign locked(String campaignId) {
        sql.exists("SELECT 1 FROM campaign WHERE campaign_id = ? FOR UPDATE", campaignId);
        return found(campaignId);
    }

    private StoredCampaign found(String campaignId) {
        return campaigns
                .find(campaignId)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId));
    }
}

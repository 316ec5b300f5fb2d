package dev.assay.domain.account;

import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.OutWith;
import dev.assay.domain.account.CampaignAccount.Pause;
import dev.assay.domain.account.CampaignAccount.ProviderStanding;
import dev.assay.domain.account.CampaignAccount.Reused;
import dev.assay.domain.delivery.DeliveryChoice;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.HealthFacts.Budget;
import dev.assay.domain.health.OutBatch;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The facts of which an account is made.
 *
 * @param campaign what is fixed, or decided already
 * @param cells counted, none of them held
 * @param asked the calls of each branch and judge
 * @param ended the errors with which cells ended
 * @param health what its health is judged by
 * @param speed of late
 * @param spend by the ledger
 * @param paused who paused it; null: it is not paused
 * @param choices how branches with {@code delivery: auto} are asked
 */
public record AccountFacts(
        Campaign campaign,
        Cells cells,
        List<ProviderCheck.Asked> asked,
        List<ErrorCount> ended,
        List<BranchStanding> branches,
        HealthFacts health,
        Speed speed,
        Spend spend,
        @Nullable Pause paused,
        List<DeliveryChoice> choices) {

    public AccountFacts {
        asked = List.copyOf(asked);
        ended = List.copyOf(ended);
        branches = List.copyOf(branches);
        choices = List.copyOf(choices);
    }

    /**
     * The campaign.
     *
     * @param steerable whether it takes all verbs
     * @param verdict null: it has not completed
     * @param rule null: it has not completed
     */
    public record Campaign(
            String id,
            boolean steerable,
            @Nullable Verdict verdict,
            @Nullable String rule) {}

    /**
     * The speed of a campaign.
     *
     * @param rate cells that were closed a second; null: it does not run
     * @param end when no cell will be open at this speed; null: too few were closed to say
     */
    public record Speed(@Nullable Double rate, @Nullable Instant end) {}

    /**
     * The spend by the ledger, in US dollars; null where no price is known.
     *
     * @param reused what was not asked for
     */
    public record Spend(
            @Nullable BigDecimal spentUsd, @Nullable BigDecimal reservedUsd, Reused reused) {}

    /** The account. */
    public CampaignAccount account() {
        CampaignHealth judged = HealthCheck.of(health);
        List<ProviderStanding> providers = ProviderCheck.of(asked, health);
        Cells held = cells.holding(
                providers.stream().mapToLong(ProviderStanding::held).sum());
        EtaReason reason = etaReason(judged, providers);
        Budget budget = health.spend().budget();
        // The row by which calls are let through is newer than a sum over the ledger.
        BigDecimal spent = budget == null ? spend.spentUsd() : budget.spentUsd();
        return new CampaignAccount(
                health.state(),
                campaign.verdict(),
                campaign.rule(),
                held,
                ErrorTally.of(ended, health.state().ended() ? List.of() : health.retries()),
                providers,
                branches,
                judged,
                paused,
                speed.rate(),
                // Cells that record an answer have given their permit back, and are among those that workers report.
                Math.min(health.cells().calling(), health.cells().maxConcurrent()),
                health.cells().maxConcurrent(),
                reason == null ? end() : null,
                reason,
                spent,
                budget == null ? spend.reservedUsd() : budget.reservedUsd(),
                budget == null ? null : budget.limitUsd(),
                spend.reused(),
                outWith(health.cells().out()),
                choices,
                next(judged, held, spent));
    }

    private @Nullable EtaReason etaReason(CampaignHealth judged, List<ProviderStanding> providers) {
        EtaReason known = EtaReason.of(health.state(), cells.open(), ProviderCheck.away(providers), judged.status());
        return known == null && end() == null ? EtaReason.TOO_FEW_DONE : known;
    }

    /** Of each provider, in the order of their names. */
    private static List<OutWith> outWith(List<OutBatch> batches) {
        Map<String, OutWith> all = new TreeMap<>();
        batches.forEach(batch -> all.merge(
                batch.provider(),
                new OutWith(batch.provider(), 1, batch.cells(), Math.min(batch.done(), batch.cells())),
                OutWith::and));
        return List.copyOf(all.values());
    }

    /** Cells that are out are not closed at the speed of calls: their batches say when they end. */
    private @Nullable Instant end() {
        List<OutBatch> out = health.cells().out();
        List<Instant> ends =
                out.stream().map(OutBatch::end).filter(Objects::nonNull).toList();
        return ends.isEmpty() || ends.size() < out.size()
                ? speed.end()
                : ends.stream()
                        .max(Comparator.naturalOrder())
                        .filter(last -> speed.end() == null || last.isAfter(speed.end()))
                        .orElse(speed.end());
    }

    private String next(CampaignHealth judged, Cells held, @Nullable BigDecimal spent) {
        Budget budget = health.spend().budget();
        long errors = branches.stream().mapToLong(BranchStanding::errors).sum();
        return new NextStep(
                        campaign.id(),
                        campaign.steerable(),
                        health.state(),
                        judged,
                        held,
                        errors,
                        spent,
                        budget == null ? null : budget.limitUsd())
                .command();
    }
}

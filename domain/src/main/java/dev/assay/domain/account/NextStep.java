package dev.assay.domain.account;

import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Status;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a person does next with a campaign.
 *
 * @param steerable whether it takes all verbs: evaluations are continued instead
 * @param errors cells that ended in an error
 * @param spentUsd in US dollars; null where no price is known
 * @param budgetUsd in US dollars; null: no budget
 */
record NextStep(
        String id,
        boolean steerable,
        CampaignState state,
        CampaignHealth health,
        Cells cells,
        long errors,
        @Nullable BigDecimal spentUsd,
        @Nullable BigDecimal budgetUsd) {

    /** What a larger budget has beyond what the cells took so far: those to come may be dearer. */
    private static final BigDecimal RESERVE = new BigDecimal("1.25");

    /** Two digits are enough for a number that people type. */
    private static final MathContext DIGITS = new MathContext(2, RoundingMode.UP);

    /** The command. */
    String command() {
        if (!steerable) {
            return "assay show " + id;
        }
        return switch (state) {
            case COMPLETED -> completed();
            case PAUSED, CANCELLED, FAILED -> "assay resume " + id;
            case PENDING, RUNNING -> health.status() == Status.OK ? "assay watch " + id : held();
        };
    }

    private String completed() {
        if (cells.skipped() > 0 && budgetUsd != null) {
            return "assay set " + id + " --budget-usd "
                    + largerBudget(budgetUsd).toPlainString();
        }
        return errors > 0 ? "assay rerun " + id + " --errored" : "assay show " + id;
    }

    /** By the most urgent reason: those are sorted. */
    private String held() {
        Code code = health.reasons().getFirst().code();
        return switch (code) {
            case NO_WORKER -> "assay worker";
            case ENDED_IN_TEMPORAL, WORKFLOW_MISSING -> "assay resume " + id;
            case NO_WORKER_FOR_PROVIDER, PROVIDER_DOWN -> mendProvider();
            default -> "assay watch " + id;
        };
    }

    /** A provider that does not answer is asked again by itself; a key is mended by a person. */
    private String mendProvider() {
        return health.status() == Status.STALLED ? "assay provider list" : "assay watch " + id;
    }

    /** What all cells take at the cost of those that are done, with a reserve; more than the budget in any case. */
    private BigDecimal largerBudget(BigDecimal budget) {
        BigDecimal twice = budget.add(budget).max(new BigDecimal("0.01"));
        if (spentUsd == null || spentUsd.signum() == 0 || cells.done() == 0) {
            return plain(twice);
        }
        BigDecimal whole = spentUsd.multiply(BigDecimal.valueOf(cells.total() - cells.notNeeded()))
                .divide(BigDecimal.valueOf(cells.done()), MathContext.DECIMAL64)
                .multiply(RESERVE)
                .round(DIGITS);
        return plain(whole.compareTo(budget) > 0 ? whole : twice);
    }

    private static BigDecimal plain(BigDecimal usd) {
        BigDecimal shortest = usd.stripTrailingZeros();
        return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
    }
}

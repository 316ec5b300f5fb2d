package dev.assay.cli.report;

import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.Pause;
import dev.assay.domain.account.CampaignAccount.ProviderStanding;
import dev.assay.domain.account.CampaignAccount.ProviderState;
import dev.assay.domain.account.EtaReason;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accounts of a campaign {@code c-1} of 400 cells. */
final class AccountSample {

    private static final CampaignHealth WELL = new CampaignHealth(CampaignHealth.Status.OK, List.of());

    private AccountSample() {}

    private static BranchStanding branch(long errors) {
        return new BranchStanding(
                "small",
                200,
                150,
                0.68,
                0.81,
                errors,
                errors == 0 ? Map.of() : Map.of("TIMEOUT", errors),
                new BigDecimal("0.5"));
    }

    static CampaignAccount running(@Nullable Instant eta, @Nullable EtaReason reason) {
        return new CampaignAccount(
                CampaignState.RUNNING,
                null,
                null,
                new Cells(200, 200, 60, 0, 0, 0),
                List.of(new ErrorCount("PROVIDER_TIMEOUT", 0, 4, null)),
                List.of(
                        new ProviderStanding("openai", ProviderState.LIMITED, 60),
                        new ProviderStanding("anthropic", ProviderState.OK, 0)),
                List.of(branch(0)),
                WELL,
                null,
                2.5,
                18,
                20,
                eta,
                reason,
                new BigDecimal("0.5"),
                new BigDecimal("0.25"),
                null,
                CampaignAccount.Reused.NONE,
                List.of(),
                List.of(),
                "assay watch c-1");
    }

    static CampaignAccount skipped() {
        return new CampaignAccount(
                CampaignState.COMPLETED,
                Verdict.INCONCLUSIVE,
                "Inconclusive: the budget is spent.",
                new Cells(200, 0, 0, 150, 50, 7),
                List.of(new ErrorCount("PROVIDER_TIMEOUT", 3, 0, "It took too long.")),
                List.of(),
                List.of(branch(3)),
                WELL,
                null,
                null,
                0,
                20,
                null,
                EtaReason.ENDED,
                new BigDecimal("0.5"),
                null,
                new BigDecimal("0.5"),
                CampaignAccount.Reused.NONE,
                List.of(),
                List.of(),
                "assay set c-1 --budget-usd 1.3");
    }

    static CampaignAccount paused(@Nullable String who, @Nullable String reason) {
        return new CampaignAccount(
                CampaignState.PAUSED,
                null,
                null,
                new Cells(200, 200, 0, 0, 0, 0),
                List.of(),
                List.of(),
                List.of(),
                WELL,
                new Pause(who, reason, Instant.parse("2026-11-26T09:00:00.123Z")),
                null,
                0,
                20,
                null,
                EtaReason.PAUSED,
                null,
                null,
                null,
                CampaignAccount.Reused.NONE,
                List.of(),
                List.of(),
                "assay resume c-1");
    }
}

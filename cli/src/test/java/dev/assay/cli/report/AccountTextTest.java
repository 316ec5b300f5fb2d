package dev.assay.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.EtaReason;
import org.junit.jupiter.api.Test;

final class AccountTextTest {

    private static AccountText text(CampaignAccount account) {
        return new AccountText(account, "c-1", command -> command + " --data here");
    }

    @Test
    void shouldSayWhatARunningCampaignDoes() {
        assertThat(text(AccountSample.running(null, EtaReason.TOO_FEW_DONE)).text())
                .isEqualTo("""
                    Cells: 200 done, 200 open (60 wait for a provider)
                    Calls: 18 in flight, 20 allowed, 2.5 cells a second, 4 to be tried again; ETA – (too few done)
                    Cost: $0.50 spent, $0.25 reserved, no budget
                    Provider openai limits calls: 60 cells held

                    Branch   Done   Passed      Interval   Errors    Cost
                    small     200      150   68.0–81.0 %        0   $0.50

                    Error              Cells   Tried again
                    PROVIDER_TIMEOUT       0             4

                    Next: assay watch c-1 --data here
                    """);
    }

    @Test
    void shouldSayWhatEndedACampaignAndWhatMendsIt() {
        assertThat(text(AccountSample.skipped()).text())
                .contains(
                        "Cells: 200 done, 0 open, 150 skipped for the budget, 50 not needed, 7 asked again",
                        "Cost: $0.50 spent, budget $0.50",
                        "PROVIDER_TIMEOUT: It took too long.",
                        "Run them again with: assay rerun c-1 --errored --data here",
                        "Inconclusive: the budget is spent.")
                .endsWith("Next: assay set c-1 --budget-usd 1.3 --data here\n")
                .doesNotContain("in flight");
        assertThat(text(AccountSample.skipped()).skipped())
                .isEqualTo("150 of 400 cells skipped: $0.50 of $0.50 spent. Go on with: assay set c-1 --budget-usd 1.3"
                        + " --data here");
        assertThat(text(AccountSample.running(null, EtaReason.STALLED)).skipped())
                .isNull();
    }

    @Test
    void shouldSayWhoPausedIt() {
        assertThat(text(AccountSample.paused("ci", null)).text()).contains("Paused 2026-11-26T09:00:00Z by ci\n");
        assertThat(text(AccountSample.paused("assay", "openai is down")).text())
                .contains("Paused 2026-11-26T09:00:00Z by Assay: openai is down\n");
        assertThat(text(AccountSample.paused(null, null)).text()).contains("Paused 2026-11-26T09:00:00Z\n");
    }
}

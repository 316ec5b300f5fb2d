package dev.assay.cli.live;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.EtaReason;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.health.CampaignHealth.Status;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A campaign with long names, errors and an outage, in which strangers wrote some of the texts. */
final class LiveSample {

    /** It clears the screen, goes to its corner, rings, turns the direction, and has wide and combining characters. */
    static final String HOSTILE =
            "\u001b[2J\u001b[H\u0007\r\n\tquestion\u202Eable 日本語日本語 e\u0301\u0301 ⚠\uFE0F \u2028end";

    private LiveSample() {}

    static CampaignAccount account(int branches, String branch, String words) {
        return new CampaignAccount(
                CampaignState.RUNNING,
                null,
                null,
                new Cells(1_204, 1_796, 20, 0, 0, 0),
                List.of(
                        new ErrorCount("PROVIDER_TIMEOUT", 3, 5, words),
                        new ErrorCount("PROVIDER_AUTH", 1, 0, "The key was refused.")),
                List.of(),
                IntStream.range(0, branches)
                        .mapToObj(i -> new BranchStanding(
                                branch + i, 602, 549, 0.887, 0.931, 2, Map.of("TIMEOUT", 2L), new BigDecimal("0.0123")))
                        .toList(),
                new CampaignHealth(
                        Status.WAITING,
                        List.of(new Reason(Code.RATE_LIMIT, "Provider openai limits the rate: " + words, 20L, null))),
                null,
                12.3,
                18,
                20,
                null,
                EtaReason.TOO_FEW_DONE,
                new BigDecimal("0.0246"),
                null,
                null,
                CampaignAccount.Reused.NONE,
                List.of(),
                List.of(),
                "assay watch c-1");
    }

    static RemoteCampaign campaign(String name, CampaignAccount account) {
        return new RemoteCampaign(
                "c-1",
                name,
                null,
                CampaignState.RUNNING,
                null,
                new RemoteCampaign.Progress(3_000, 1_204, 1_098, 3_000, 1_204),
                null,
                new BigDecimal("0.0246"),
                null,
                null,
                account.health(),
                account,
                null,
                null,
                null,
                Instant.EPOCH,
                null,
                null,
                null);
    }
}

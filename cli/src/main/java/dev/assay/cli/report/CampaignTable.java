package dev.assay.cli.report;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.rendering.Numbers;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

/** Campaigns as a table, one row each. */
public final class CampaignTable {

    private CampaignTable() {}

    /** The table, or a sentence that there is none. */
    public static String of(List<RemoteCampaign> campaigns) {
        if (campaigns.isEmpty()) {
            return "There are no campaigns yet.\n";
        }
        TextTable table =
                new TextTable(List.of("Campaign", "State", "Verdict", "Cells", "Passed", "Cost", "Created", "By"));
        for (RemoteCampaign campaign : campaigns) {
            RemoteCampaign.Progress progress = campaign.progress();
            table.row(List.of(
                    campaign.id(),
                    campaign.state().name(),
                    Objects.requireNonNullElse(campaign.verdict(), Numbers.UNKNOWN)
                            .toString(),
                    Numbers.count(progress.cellsDone()) + "/" + Numbers.count(progress.cellsTotal()),
                    Numbers.percent(campaign.shownPassRate()),
                    Numbers.cost(campaign.costUsd()),
                    campaign.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                    Objects.requireNonNullElse(campaign.createdBy(), Numbers.UNKNOWN)));
        }
        return table.text();
    }
}

package dev.assay.cli.live;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.report.AccountText;
import dev.assay.cli.report.ErrorTable;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ProgressLine;
import dev.assay.cli.terminal.ScreenText;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Campaigns as lines that fit a terminal: each is narrower than it, and there are fewer than it has rows. */
final class LiveView {

    private static final String GAP = "  ";

    /** Errors and reasons of which the newest words are shown. */
    private static final int MOST_ERRORS = 4;

    private static final int MOST_REASONS = 2;

    private static final int LINES_OF_A_REASON = 3;

    private final Instant now;
    private final int columns;

    /**
     * A view.
     *
     * @param now the time here
     * @param columns of the terminal; the last one stays free, since some terminals begin a new line after it
     */
    LiveView(Instant now, int columns) {
        this.now = now;
        this.columns = Math.max(1, columns - 1);
    }

    /** The lines of all campaigns, of which a terminal of so many rows shows the most important ones. */
    List<String> lines(List<RemoteCampaign> campaigns, int rows) {
        int most = Math.max(1, rows - 1);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < campaigns.size(); i++) {
            int share = Math.max(1, (most - lines.size()) / (campaigns.size() - i));
            lines.addAll(one(campaigns.get(i), share));
        }
        return lines.size() <= most ? lines : lines.subList(0, most);
    }

    /** The lines that stay when the view ends. */
    List<String> head(RemoteCampaign campaign) {
        List<String> lines = new ArrayList<>();
        String verdict = campaign.verdict() == null ? "" : " " + campaign.verdict();
        lines.add(campaign.state() + verdict + GAP + campaign.name() + GAP + campaign.id());
        lines.addAll(ScreenText.flow(ProgressLine.parts(campaign, now), GAP, columns));
        return fitted(lines);
    }

    private List<String> one(RemoteCampaign campaign, int most) {
        List<String> lines = new ArrayList<>(head(campaign));
        CampaignAccount account = campaign.account();
        if (account != null) {
            lines.addAll(fitted(ScreenText.flow(AccountText.calls(account), GAP, columns)));
            List<String> held = fitted(held(account));
            List<String> branches = fitted(AccountText.branches(account).lines(columns));
            lines.addAll(held);
            int left = Math.max(0, most - lines.size());
            lines.addAll(branches.size() <= left ? branches : fitted(shortened(branches, left)));
        }
        return lines.size() <= most ? lines : lines.subList(0, most);
    }

    /** What holds it up, and its newest errors. */
    private List<String> held(CampaignAccount account) {
        List<String> lines = new ArrayList<>();
        account.health().reasons().stream()
                .limit(MOST_REASONS)
                .map(reason -> HealthText.line(account.health().status(), reason, now))
                .forEach(line -> lines.addAll(ScreenText.wrap(ScreenText.plain(line), columns, LINES_OF_A_REASON)));
        List<ErrorCount> errors = account.errors();
        errors.stream().limit(MOST_ERRORS).map(ErrorTable::line).forEach(lines::add);
        if (errors.size() > MOST_ERRORS) {
            lines.add("… and " + (errors.size() - MOST_ERRORS) + " more errors");
        }
        return lines;
    }

    private static List<String> shortened(List<String> lines, int most) {
        if (most < 2) {
            return List.of();
        }
        List<String> shown = new ArrayList<>(lines.subList(0, most - 1));
        shown.add("… and more branches");
        return shown;
    }

    private List<String> fitted(List<String> lines) {
        return lines.stream()
                .map(line -> ScreenText.fit(ScreenText.plain(line), columns))
                .toList();
    }
}

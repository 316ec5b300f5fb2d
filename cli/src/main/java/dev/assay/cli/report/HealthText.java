package dev.assay.cli.report;

import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.rendering.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reasons why a campaign waits, as sentences. */
public final class HealthText {

    private HealthText() {}

    /**
     * A line for each reason, the most urgent first.
     *
     * @param health null: the API does not say
     * @param now the time to which the times of the reasons are relative
     */
    public static List<String> lines(@Nullable CampaignHealth health, Instant now) {
        return health == null
                ? List.of()
                : health.reasons().stream()
                        .map(reason -> line(health.status(), reason, now))
                        .toList();
    }

    /** For example {@code Waiting: Provider openai limits the rate (429). 12 cells, the first goes on in 28s.} */
    public static String line(CampaignHealth.Status status, Reason reason, Instant now) {
        String word = switch (status) {
            case OK -> "Note: ";
            case WAITING -> "Waiting: ";
            case STALLED -> "Stalled: ";
        };
        return word + reason.message() + details(reason, now);
    }

    private static String details(Reason reason, Instant now) {
        Long cells = reason.cells();
        Instant until = reason.until();
        if (cells == null) {
            return "";
        }
        String count = " " + Numbers.count(cells) + (cells == 1 ? " cell" : " cells");
        if (until == null) {
            return count + ".";
        }
        Duration left = Duration.between(now, until);
        return count + ", the first goes on "
                + (left.isPositive() ? "in " + Numbers.duration(left.plusMillis(999)) : "now") + ".";
    }
}

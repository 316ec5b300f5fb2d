package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.terminal.ScreenText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a scoring changes of the verdicts of a campaign, for people. */
public final class ScoringText {

    private ScoringText() {}

    /** The report of a scoring, as the API answers it, in lines; each ends with a line break. */
    public static String of(JsonNode scoring) {
        StringBuilder text = new StringBuilder();
        text.append("\nBeside ")
                .append(ScreenText.plain(scoring.path("of").asText()))
                .append(":\n");
        scoring.path("branches").forEach(branch -> text.append(branch(branch)));
        scoring.path("flips").forEach(flip -> text.append(flip(flip)));
        if (!scoring.path("nextPageToken").isNull()) {
            text.append("  … more flips: GET /api/v1/campaigns/")
                    .append(ScreenText.plain(scoring.path("campaign").asText()))
                    .append("/scoring\n");
        }
        scoring.path("unscored")
                .forEach(one -> text.append("Unscored in ")
                        .append(one.path("cells").asInt())
                        .append(" cells: ")
                        .append(ScreenText.plain(one.path("reason").asText()))
                        .append('\n'));
        scoring.path("warnings")
                .forEach(warning ->
                        text.append(ScreenText.plain(warning.asText())).append('\n'));
        return text.toString();
    }

    private static String branch(JsonNode branch) {
        JsonNode counts = branch.path("counts");
        String rates = "%s → %s trials passed"
                .formatted(percent(branch.at("/before/known")), percent(branch.at("/after/known")));
        String flips = "%d passed before only, %d pass now only, %d the same"
                .formatted(
                        counts.path("onlyBefore").asInt(),
                        counts.path("onlyAfter").asInt(),
                        counts.path("bothPass").asInt()
                                + counts.path("bothFail").asInt());
        int unknown = branch.path("unknownBefore").asInt()
                + branch.path("unknownAfter").asInt();
        return "  %s: %s; %s%s; kappa %s, p %s%n"
                .formatted(
                        ScreenText.plain(branch.path("branchId").asText()),
                        rates,
                        flips,
                        unknown == 0 ? "" : ", " + unknown + " verdicts unknown",
                        number(branch.at("/kappa/value")),
                        number(branch.path("p")));
    }

    private static String flip(JsonNode flip) {
        String why = flip.path("why").isNull() ? "" : ": " + flip.path("why").asText();
        return "  %s %s, %s, trial %d%s%n"
                .formatted(
                        flip.path("before").asBoolean() ? "●→✕" : "✕→●",
                        ScreenText.plain(flip.path("caseId").asText()),
                        ScreenText.plain(flip.path("branchId").asText()),
                        flip.path("trial").asInt(),
                        ScreenText.plain(why));
    }

    private static String percent(JsonNode share) {
        Double value = value(share);
        return value == null ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * value);
    }

    private static String number(JsonNode number) {
        Double value = value(number);
        return value == null ? "–" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static @Nullable Double value(JsonNode number) {
        return number.isNumber() ? (Double) number.asDouble() : null;
    }
}

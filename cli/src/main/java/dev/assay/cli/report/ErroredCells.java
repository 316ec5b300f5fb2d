package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.text.Excerpt;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cells of a campaign that ended in an error, each with its reason. */
public final class ErroredCells {

    private static final int WORDS = 500;

    private ErroredCells() {}

    /**
     * Hands over these cells as the API lists them.
     *
     * @param branch null: of all branches
     */
    public static void read(AssayApi api, String id, @Nullable String branch, Consumer<JsonNode> consumer) {
        Map<String, String> filter = new HashMap<>();
        if (branch != null) {
            filter.put("branchId", branch);
        }
        Arrays.stream(OutcomeStatus.values()).filter(OutcomeStatus::isFailure).forEach(status -> {
            filter.put("status", status.name());
            api.outcomes(id, filter, consumer);
        });
    }

    /** Such as {@code france, trial 2, small: PROVIDER_TIMEOUT: The provider took longer than 60 s.} */
    public static String line(JsonNode outcome) {
        JsonNode error = outcome.path("error");
        String code = error.path("code").asText(outcome.path("status").asText());
        String words = Excerpt.of(error.path("message").asText("no reason is stored"), WORDS);
        return outcome.path("caseId").asText() + ", trial "
                + outcome.path("trial").asInt() + ", "
                + outcome.path("branchId").asText() + ": " + code + ": " + words;
    }
}

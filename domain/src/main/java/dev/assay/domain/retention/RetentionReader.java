package dev.assay.domain.retention;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of {@code server.yaml}. */
public final class RetentionReader {

    private static final Fields FIELDS = Fields.of("server", "retention");
    private static final Fields RETENTION = Fields.of("retention", "campaigns", "ledger", "rowsPerSecond");
    private static final Fields CAMPAIGNS = Fields.of("retentionOfCampaigns", "completed", "cancelled", "failed");
    private static final NumberRule ROWS = NumberRule.whole(100, 1_000_000);

    /** A wrong unit must not delete what somebody reads now. */
    private static final Duration LEAST = Duration.ofHours(1);

    private static final Duration MOST = Duration.ofDays(36_500);

    private RetentionReader() {}

    /**
     * Reads the file's content.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static RetentionRules read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems).objectOrEmpty("retention", RETENTION);
        FieldReader ages = fields.objectOrEmpty("campaigns", CAMPAIGNS);
        Map<CampaignState, Duration> campaigns = new EnumMap<>(CampaignState.class);
        put(campaigns, CampaignState.COMPLETED, age(ages, "completed"));
        put(campaigns, CampaignState.CANCELLED, age(ages, "cancelled"));
        put(campaigns, CampaignState.FAILED, age(ages, "failed"));
        Duration ledger = Objects.requireNonNullElse(age(fields, "ledger"), RetentionRules.NONE.ledger());
        int rows = fields.integer("rowsPerSecond", ROWS, RetentionRules.NONE.rowsPerSecond());
        problems.throwIfAny("file of the server");
        return new RetentionRules(campaigns, ledger, rows);
    }

    private static void put(Map<CampaignState, Duration> campaigns, CampaignState state, @Nullable Duration age) {
        if (age != null) {
            campaigns.put(state, age);
        }
    }

    /** An age of ISO 8601; null: it is not there, or is wrong, which is noted. */
    private static @Nullable Duration age(FieldReader fields, String name) {
        String text = fields.nullableText(name);
        if (text == null || fields.isWrong(name)) {
            return null;
        }
        try {
            Duration age = Duration.parse(text);
            if (age.compareTo(LEAST) >= 0 && age.compareTo(MOST) <= 0) {
                return age;
            }
        } catch (DateTimeParseException _) {
            // Noted below, as an age out of bounds is.
        }
        fields.problem(
                name, "`" + fields.path(name) + "` must be an age from PT1H to P36500D, such as P90D for 90 days.");
        return null;
    }
}

package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.WrittenDuration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of the bounds of a campaign. */
public final class LimitsReader {

    static final Fields FIELDS =
            Fields.of("limits", "maxConcurrent", "budgetUsd", "timeoutSeconds", "maxAttempts", "maxOutage");

    /** More than 0, up to a billion US dollars. */
    public static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);

    /** More than 0, up to a day: an activity ends after that. */
    static final NumberRule SECONDS = NumberRule.above(0, 86_400);

    public static final NumberRule CONCURRENT = NumberRule.whole(1, 10_000);
    static final NumberRule ATTEMPTS = NumberRule.whole(1, 100);

    /** What a longest outage must be, for people. */
    public static final String OUTAGE_RULE =
            "must be a duration from 0s to 7d, such as 30m or PT30M; 0s lets cells fail at once.";

    private LimitsReader() {}

    /** @param branches whose loops a cell must give time to */
    static Limits read(FieldReader document, List<Branch> branches) {
        FieldReader fields = document.objectOrEmpty("limits", FIELDS);
        Limits defaults = Limits.DEFAULT;
        return new Limits(
                fields.integer("maxConcurrent", CONCURRENT, defaults.maxConcurrent()),
                fields.nullableDecimal("budgetUsd", MONEY),
                fields.seconds("timeoutSeconds", SECONDS, Limits.timeoutOf(branches)),
                fields.integer("maxAttempts", ATTEMPTS, defaults.maxAttempts()),
                Objects.requireNonNullElse(outage(fields), defaults.maxOutage()));
    }

    /** The field {@code maxOutage}; null: it is not there, or is wrong, which is noted. */
    public static @Nullable Duration outage(FieldReader fields) {
        String text = fields.nullableText("maxOutage");
        Duration time = text == null ? null : outage(text);
        if (text != null && time == null) {
            fields.problem("maxOutage", "`" + fields.path("maxOutage") + "` " + OUTAGE_RULE);
        }
        return time;
    }

    /** The longest outage that {@code text} names; null: it names none. */
    public static @Nullable Duration outage(String text) {
        Duration time = WrittenDuration.of(text);
        return time == null || time.isNegative() || time.compareTo(Limits.MOST_OUTAGE) > 0 ? null : time;
    }
}

package dev.assay.domain.check.rule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that every check has beside its rule.
 *
 * @param required whether a failure fails the trial; a check that is not required is only reported
 * @param weight how much it counts in means of scores, 0–1,000; null: 1
 * @param metric the name under which its score is also reported, with others of that name; null: none
 * @param not whether the rule must not hold
 * @param description what it is about, for people; null: nothing is said
 */
public record CheckRole(
        boolean required,
        @Nullable BigDecimal weight,
        @Nullable String metric,
        boolean not,
        @Nullable String description) {

    /** The fields, in the order in which they are documented. */
    public static final List<String> FIELDS = List.of("required", "weight", "metric", "not", "description");

    /** Longest name of a metric, in Unicode code points. */
    private static final int MAX_METRIC = 128;

    /** Longest description, in Unicode code points. */
    public static final int MAX_DESCRIPTION = 500;

    private static final NumberRule WEIGHT = NumberRule.between(0, 1_000);

    /** The role of a check that says nothing of it. */
    public static final CheckRole REQUIRED = new CheckRole(true, null, null, false, null);

    /** A check that is only reported, and counts as others do. */
    public static final CheckRole REPORTED = new CheckRole(false, null, null, false, null);

    /** Reads what users write. */
    public static CheckRole read(FieldReader fields) {
        return new CheckRole(
                fields.flag("required", true),
                fields.decimal("weight", WEIGHT),
                fields.hasValue("metric") ? fields.line("metric", MAX_METRIC) : null,
                fields.flag("not", false),
                fields.hasValue("description") ? fields.line("description", MAX_DESCRIPTION) : null);
    }

    /** Whether it counts in means of scores. */
    public boolean counts() {
        return weight == null || weight.signum() > 0;
    }

    /** Adds its fields to the stored form of a check. */
    public void writeTo(ObjectNode json) {
        json.put("required", required);
        if (weight != null) {
            json.put("weight", weight);
        }
        if (metric != null) {
            json.put("metric", metric);
        }
        if (not) {
            json.put("not", true);
        }
        if (description != null) {
            json.put("description", description);
        }
    }

    /** Reads the stored form of a check, be it of a build that had fewer fields. */
    public static CheckRole stored(JsonNode json) {
        return new CheckRole(
                json.path("required").asBoolean(),
                json.hasNonNull("weight") ? json.get("weight").decimalValue() : null,
                json.hasNonNull("metric") ? json.get("metric").textValue() : null,
                json.path("not").asBoolean(),
                json.hasNonNull("description") ? json.get("description").textValue() : null);
    }
}

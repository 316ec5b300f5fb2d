package dev.assay.domain.results;

import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Tokens as a line of the neutral form says them. What it does not say is not known. */
final class UsageLines {

    /** Dollars. */
    static final NumberRule COST = NumberRule.between(0, 1_000_000_000);

    private static final Fields FIELDS =
            Fields.of("usage", "input", "output", "reasoning", "cacheRead", "cacheWrite", "total");

    private static final NumberRule COUNT = NumberRule.whole(0, 1_000_000_000_000L);

    private UsageLines() {}

    /** Reads the field {@code usage}. */
    static Usage read(FieldReader line) {
        FieldReader usage = line.hasValue("usage") ? line.object("usage", FIELDS) : null;
        return usage == null
                ? Usage.UNKNOWN
                : new Usage(
                        count(usage, "input"),
                        count(usage, "output"),
                        count(usage, "reasoning"),
                        count(usage, "cacheRead"),
                        count(usage, "cacheWrite"),
                        count(usage, "total"));
    }

    /** A number of things; null: not said. */
    static @Nullable Long count(FieldReader fields, String name) {
        BigDecimal value = fields.nullableDecimal(name, COUNT);
        return value == null ? null : (Long) value.longValueExact();
    }
}

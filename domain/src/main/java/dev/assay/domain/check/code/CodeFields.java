package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The fields that several kinds of own code have. */
public final class CodeFields {

    /** Far more than any measure, and a double all the same. */
    private static final NumberRule ANY = NumberRule.between(-1_000_000_000_000_000L, 1_000_000_000_000_000L);

    private static final NumberRule SECONDS = NumberRule.whole(1, 600);

    private CodeFields() {}

    /** The settings of the code; null: none are written. */
    public static @Nullable JsonNode config(FieldReader fields) {
        JsonNode config = fields.hasValue("config") ? fields.node("config") : null;
        if (config != null && !JsonNumbers.areReadable(config)) {
            fields.problem(
                    "config", "`config` holds a number that is not finite or has too many digits; write another.");
        }
        return config;
    }

    static @Nullable BigDecimal threshold(FieldReader fields) {
        return fields.decimal("threshold", ANY);
    }

    static int seconds(FieldReader fields) {
        return fields.integer("timeoutSeconds", SECONDS, CodeRule.DEFAULT_SECONDS);
    }
}

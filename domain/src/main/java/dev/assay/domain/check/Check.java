package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A rule on the response of one outcome. In JSON {@code type} says which; a stored check reads back as it was written. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonSubTypes({
    @JsonSubTypes.Type(value = Check.Equals.class, name = "equals"),
    @JsonSubTypes.Type(value = Check.Contains.class, name = "contains"),
    @JsonSubTypes.Type(value = Check.ContainsIgnoringCase.class, name = "icontains"),
    @JsonSubTypes.Type(value = Check.Regex.class, name = "regex"),
    @JsonSubTypes.Type(value = Check.JsonDocument.class, name = "json"),
})
public sealed interface Check {

    /** Whether a failure of this check fails the trial; a check that is not required is only reported. */
    boolean required();

    /** How much it counts beside other checks, at least 0, for strategies that compare scores; null: 1. */
    @Nullable
    BigDecimal weight();

    /** The response equals {@code value}, apart from white space around it. */
    record Equals(String value, boolean required, @Nullable BigDecimal weight) implements Check {

        public Equals(String value, boolean required) {
            this(value, required, null);
        }
    }

    /** The response contains {@code value}. */
    record Contains(
            String value, boolean required, @Nullable BigDecimal weight) implements Check {

        public Contains(String value, boolean required) {
            this(value, required, null);
        }
    }

    /** The response contains {@code value}, upper and lower case being the same. */
    record ContainsIgnoringCase(
            String value, boolean required, @Nullable BigDecimal weight) implements Check {

        public ContainsIgnoringCase(String value, boolean required) {
            this(value, required, null);
        }
    }

    /** The regular expression {@code value} (Java syntax) matches somewhere in the response. */
    record Regex(String value, boolean required, @Nullable BigDecimal weight) implements Check {

        public Regex(String value, boolean required) {
            this(value, required, null);
        }
    }

    /** The response is a JSON document and, when there is a schema, is valid against it (JSON Schema 2020-12). */
    record JsonDocument(
            @Nullable JsonNode schema,
            boolean required,
            @Nullable BigDecimal weight) implements Check {

        public JsonDocument(@Nullable JsonNode schema, boolean required) {
            this(schema, required, null);
        }
    }
}

package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a case. In JSON their fields are those of the case.
 *
 * @param all in order
 * @param threshold the mean of their scores that passes, 0–1, whatever single checks say; null: every required one must pass
 */
public record Checks(
        @JsonProperty("checks") List<Check> all,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal threshold) {

    static final NumberRule THRESHOLD = NumberRule.between(0, 1);

    public Checks {
        all = List.copyOf(all);
    }

    /** Checks without a threshold. */
    public Checks(List<Check> all) {
        this(all, null);
    }

    /** Reads the fields {@code checks} and {@code threshold} of a case. */
    public static Checks read(FieldReader fields, List<Check> defaults) {
        return new Checks(
                Stream.concat(fields.list("checks", CheckReader::read).stream(), defaults.stream())
                        .toList(),
                fields.nullableDecimal("threshold", THRESHOLD));
    }

    /** The paths below the agent's working directory whose existence the checks need to know, as they are written. */
    public Set<String> filesAskedFor() {
        Set<String> paths = new LinkedHashSet<>();
        all.forEach(check -> paths.addAll(check.rule().filesAskedFor()));
        return paths;
    }
}

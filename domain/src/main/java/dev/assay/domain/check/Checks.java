package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.check.code.Script;
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
 * @param transform makes what they see of the answer; null: they see the answer, or what the branch's transform made of it
 */
public record Checks(
        @JsonProperty("checks") List<Check> all,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal threshold,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Script transform) {

    static final NumberRule THRESHOLD = NumberRule.between(0, 1);

    public Checks {
        all = List.copyOf(all);
    }

    /** Checks of the answer, without a threshold. */
    public Checks(List<Check> all) {
        this(all, null, null);
    }

    /** Reads what all cases have where they say nothing else: the fields {@code checks} and {@code transform}. */
    public static Checks readDefaults(FieldReader fields) {
        return new Checks(fields.list("checks", CheckReader::read), null, CodeReader.transform(fields));
    }

    /** These and then {@code outer}, whose transform gives way to theirs. */
    public Checks and(Checks outer) {
        return new Checks(
                Stream.concat(all.stream(), outer.all.stream()).toList(),
                threshold,
                transform == null ? outer.transform : transform);
    }

    /** Reads the fields {@code checks}, {@code threshold} and {@code transform} of a case. */
    public static Checks read(FieldReader fields, Checks defaults) {
        return new Checks(
                        fields.list("checks", CheckReader::read),
                        fields.nullableDecimal("threshold", THRESHOLD),
                        CodeReader.transform(fields))
                .and(defaults);
    }

    /** The paths below the agent's working directory whose existence the checks need to know, as they are written. */
    public Set<String> filesAskedFor() {
        Set<String> paths = new LinkedHashSet<>();
        all.forEach(check -> paths.addAll(check.rule().filesAskedFor()));
        return paths;
    }
}

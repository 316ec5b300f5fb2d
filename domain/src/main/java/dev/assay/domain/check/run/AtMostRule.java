package dev.assay.domain.check.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.usage.Measured;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer took at most {@code threshold} of something.
 *
 * @param threshold at least 0, in the unit of {@code quantity}
 */
public record AtMostRule(@JsonIgnore Quantity quantity, BigDecimal threshold) implements RunRule {

    private static final NumberRule AMOUNT = NumberRule.between(0, 1_000_000_000_000L);

    /** A quantity that answers take. Its functions hold no state. */
    public enum Quantity {
        /** Milliseconds until the answer was there. */
        LATENCY(
                "latency",
                "milliseconds",
                measured -> measured.isTimed()
                        ? BigDecimal.valueOf(measured.latency().toMillis())
                        : null),
        /** US dollars, as far as the price is known. */
        COST("cost", "US dollars", Measured::costUsd),
        /** Tokens in all, as far as the provider reports them. */
        TOKENS("tokens", "tokens", measured -> {
            Long total = measured.usage().ofAnswer().total();
            return total == null ? null : BigDecimal.valueOf(total);
        });

        @SuppressWarnings("ImmutableEnumChecker")
        private final CheckKind kind;

        private final String unit;

        @SuppressWarnings("ImmutableEnumChecker")
        private final Function<Measured, @Nullable BigDecimal> amount;

        Quantity(String word, String unit, Function<Measured, @Nullable BigDecimal> amount) {
            this.kind = new CheckKind(
                    word,
                    1,
                    Set.of("threshold"),
                    json -> new AtMostRule(this, json.get("threshold").decimalValue()),
                    fields -> new AtMostRule(this, threshold(fields)));
            this.unit = unit;
            this.amount = amount;
        }
    }

    /** Its kinds. */
    public static Stream<CheckKind> kinds() {
        return Arrays.stream(Quantity.values()).map(quantity -> quantity.kind);
    }

    private static BigDecimal threshold(FieldReader fields) {
        BigDecimal written = fields.required("threshold") == null ? null : fields.decimal("threshold", AMOUNT);
        return written == null ? BigDecimal.ZERO : written;
    }

    @Override
    public CheckKind kind() {
        return quantity.kind;
    }

    @Override
    public Finding find(CheckInput input) {
        BigDecimal took = input.measured().equals(Measured.NONE) ? null : quantity.amount.apply(input.measured());
        if (took == null) {
            return Finding.unscored("How many " + quantity.unit + " the answer took is not known.");
        }
        String found = took.toPlainString() + " " + quantity.unit;
        return Finding.of(
                took.compareTo(threshold) <= 0,
                "The answer took " + found + ", at most " + threshold.toPlainString() + ".",
                "Expected at most " + threshold.toPlainString() + " " + quantity.unit + ", but the answer took " + found
                        + ".");
    }
}

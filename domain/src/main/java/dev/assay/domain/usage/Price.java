package dev.assay.domain.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The price of a million tokens, in US dollars.
 *
 * @param inputPerMillion price of a million input tokens that were not read from the cache, at least 0
 * @param outputPerMillion price of a million output tokens, reasoning included, at least 0
 * @param cacheReadPerMillion price of a million input tokens that were read from the cache, at least 0
 * @param cacheWritePerMillion price of a million tokens written to the cache, at least 0
 * @param batch what tokens of provider batches cost; null: nothing is configured, or an earlier build reported it
 */
public record Price(
        BigDecimal inputPerMillion,
        BigDecimal outputPerMillion,
        BigDecimal cacheReadPerMillion,
        BigDecimal cacheWritePerMillion,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BatchPrice batch) {

    private static final BigDecimal HALF = new BigDecimal("0.5");

    public Price {
        if (inputPerMillion.signum() < 0
                || outputPerMillion.signum() < 0
                || cacheReadPerMillion.signum() < 0
                || cacheWritePerMillion.signum() < 0) {
            throw new IllegalArgumentException("A price must not be negative");
        }
    }

    /** A price that says nothing of provider batches. */
    public Price(
            BigDecimal inputPerMillion,
            BigDecimal outputPerMillion,
            BigDecimal cacheReadPerMillion,
            BigDecimal cacheWritePerMillion) {
        this(inputPerMillion, outputPerMillion, cacheReadPerMillion, cacheWritePerMillion, null);
    }

    /** The price of tokens of provider batches: half of this one, by assumption, where none is configured. */
    public BatchPrice ofBatch() {
        return batch == null ? new BatchPrice(times(HALF), true) : batch;
    }

    /** The same with the price of provider batches. */
    public Price withBatch(BatchPrice other) {
        return new Price(inputPerMillion, outputPerMillion, cacheReadPerMillion, cacheWritePerMillion, other);
    }

    /** {@code factor} of each price, without a price of provider batches. */
    public Price times(BigDecimal factor) {
        return new Price(
                inputPerMillion.multiply(factor),
                outputPerMillion.multiply(factor),
                cacheReadPerMillion.multiply(factor),
                cacheWritePerMillion.multiply(factor));
    }

    /**
     * The exact cost of {@code usage} in US dollars; null where input or output are unknown. Where the cache is not reported, all
     * input counts as uncached.
     */
    public @Nullable BigDecimal costUsd(Usage usage) {
        return usage.input() == null || usage.output() == null
                ? null
                : costUsd(usage.input(), usage.output(), orNone(usage.cacheRead()), orNone(usage.cacheWrite()));
    }

    /** The exact cost of a call without cache in US dollars. */
    public BigDecimal costUsd(long input, long output) {
        return costUsd(input, output, 0, 0);
    }

    private BigDecimal costUsd(long input, long output, long cacheRead, long cacheWrite) {
        return perMillion(inputPerMillion, Math.max(0, input - cacheRead))
                .add(perMillion(outputPerMillion, output))
                .add(perMillion(cacheReadPerMillion, cacheRead))
                .add(perMillion(cacheWritePerMillion, cacheWrite));
    }

    private static long orNone(@Nullable Long tokens) {
        return tokens == null ? 0 : tokens;
    }

    private static BigDecimal perMillion(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(6);
    }
}

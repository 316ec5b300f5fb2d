package dev.assay.domain.usage;

import java.math.BigDecimal;

/**
 * The price of a million tokens, in US dollars.
 *
 * @param inputPerMillion price of a million input tokens that were not read from the cache, at least 0
 * @param outputPerMillion price of a million output tokens, reasoning included, at least 0
 * @param cacheReadPerMillion price of a million input tokens that were read from the cache, at least 0
 * @param cacheWritePerMillion price of a million tokens written to the cache, at least 0
 */
public record Price(
        BigDecimal inputPerMillion,
        BigDecimal outputPerMillion,
        BigDecimal cacheReadPerMillion,
        BigDecimal cacheWritePerMillion) {

    public Price {
        if (inputPerMillion.signum() < 0
                || outputPerMillion.signum() < 0
                || cacheReadPerMillion.signum() < 0
                || cacheWritePerMillion.signum() < 0) {
            throw new IllegalArgumentException("A price must not be negative");
        }
    }

    /** The exact cost of {@code usage} in US dollars. */
    public BigDecimal costUsd(Usage usage) {
        long uncached = Math.max(0, usage.input() - usage.cacheRead());
        return perMillion(inputPerMillion, uncached)
                .add(perMillion(outputPerMillion, usage.output()))
                .add(perMillion(cacheReadPerMillion, usage.cacheRead()))
                .add(perMillion(cacheWritePerMillion, usage.cacheWrite()));
    }

    private static BigDecimal perMillion(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(6);
    }
}

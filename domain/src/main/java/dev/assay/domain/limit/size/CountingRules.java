package dev.assay.domain.limit.size;

import dev.assay.domain.limit.Units;
import dev.assay.domain.usage.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a provider counts a request.
 *
 * @param cacheReadsCount whether input that is read from the cache counts
 */
public record CountingRules(OutputCounting output, boolean cacheReadsCount) {

    /**
     * By how much the usage of an answer is more than its request was charged, or less. Cache writes count as input. Without usage
     * nothing changes.
     */
    public Adjustment adjustment(Units charged, Usage usage) {
        if (usage.input() == null || usage.output() == null) {
            return Adjustment.NONE;
        }
        long cacheReads = cacheReadsCount ? 0 : tokens(usage.cacheRead());
        long input = tokens(usage.input()) - cacheReads + tokens(usage.cacheWrite());
        long written = tokens(usage.output());
        long counted = output == OutputCounting.ASKED ? Math.max(charged.output(), written) : written;
        return new Adjustment(input - charged.input(), counted - charged.output(), input + counted - charged.tokens());
    }

    private static long tokens(@Nullable Long reported) {
        return reported == null ? 0 : Math.min(reported, Units.MOST);
    }
}

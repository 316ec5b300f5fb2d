package dev.assay.domain.limit;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls that a pool has before it.
 *
 * @param keys how many keys share the calls, at least 1; each has the limits
 * @param input tokens of all calls
 * @param output tokens of all calls
 * @param seconds of one call; null: not known
 * @param limits those of one key that are known, at least 1 each
 */
public record PoolWork(
        String pool,
        int keys,
        long calls,
        long input,
        long output,
        @Nullable Double seconds,
        Map<LimitKind, Long> limits) {

    public PoolWork {
        EnumMap<LimitKind, Long> ordered = new EnumMap<>(LimitKind.class);
        ordered.putAll(limits);
        limits = Collections.unmodifiableMap(ordered);
    }

    /** The calls of both, which are of one pool. */
    public PoolWork and(PoolWork other) {
        return new PoolWork(
                pool,
                keys,
                calls + other.calls,
                input + other.input,
                output + other.output,
                meanSeconds(other),
                limits);
    }

    private @Nullable Double meanSeconds(PoolWork other) {
        long both = calls + other.calls;
        return seconds == null || other.seconds == null || both == 0
                ? null
                : (Double) ((seconds * calls + other.seconds * other.calls) / both);
    }

    /** The seconds that the calls take at least under a limit. */
    double secondsUnder(LimitKind kind, long limit) {
        long units = new Units(calls, input, output, input + output).of(kind);
        return (double) units * kind.period().horizonMs() / 1_000 / ((double) limit * keys);
    }
}

package dev.assay.domain.limit.answer;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitPeriod;
import dev.assay.domain.limit.LimitUnit;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the limits in the headers of one answer. What has no certain period is left out. */
public final class HeaderLimits {

    /** Anthropic rounds tokens to thousands. */
    private static final long HALF_A_THOUSAND = 499;

    /** Least and most of an inferred period, ± 20 %, in milliseconds. */
    private static final long LEAST_MINUTE = 48_000;

    private static final long MOST_MINUTE = 72_000;
    private static final long LEAST_DAY = 69_120_000;
    private static final long MOST_DAY = 103_680_000;

    private static final Map<String, LimitPeriod> PERIODS =
            Map.of("minute", LimitPeriod.MINUTE, "day", LimitPeriod.DAY);

    private final AnswerHeaders headers;
    private final EnumMap<LimitKind, HeaderLimit> found = new EnumMap<>(LimitKind.class);

    private HeaderLimits(AnswerHeaders headers) {
        this.headers = headers;
    }

    /** The limits, in the order of their kinds, none twice. */
    public static List<HeaderLimit> of(AnswerHeaders headers) {
        HeaderLimits limits = new HeaderLimits(headers);
        limits.readAnthropic();
        limits.readNamed();
        limits.readInferred();
        return List.copyOf(limits.found.values());
    }

    private void readAnthropic() {
        anthropic("requests", LimitUnit.REQUESTS, 0);
        anthropic("input-tokens", LimitUnit.INPUT, HALF_A_THOUSAND);
        anthropic("output-tokens", LimitUnit.OUTPUT, HALF_A_THOUSAND);
        Long both = headers.units(anthropicLimit("tokens"));
        // It is the strictest of the others, or a limit of a workspace's own.
        boolean isOfOthers = Stream.of("input-tokens", "output-tokens")
                .map(unit -> headers.units(anthropicLimit(unit)))
                .anyMatch(other -> both != null && other != null && other > 0 && other <= both);
        if (!isOfOthers) {
            anthropic("tokens", LimitUnit.TOKENS, HALF_A_THOUSAND);
        }
    }

    private static String anthropicLimit(String word) {
        return "anthropic-ratelimit-" + word + "-limit";
    }

    private void anthropic(String word, LimitUnit unit, long rounding) {
        Long limit = headers.units(anthropicLimit(word));
        Long remaining = headers.units("anthropic-ratelimit-" + word + "-remaining");
        if (limit != null && remaining != null && rounding > 0) {
            remaining = Math.min(limit, remaining + rounding);
        }
        put(LimitKind.of(unit, LimitPeriod.MINUTE), limit, remaining);
    }

    /** Mistral and its likes name the period. */
    private void readNamed() {
        PERIODS.forEach((word, period) -> {
            named("req-" + word, LimitKind.of(LimitUnit.REQUESTS, period));
            named("requests-" + word, LimitKind.of(LimitUnit.REQUESTS, period));
            named("tokens-" + word, LimitKind.of(LimitUnit.TOKENS, period));
        });
    }

    private void named(String word, LimitKind kind) {
        put(kind, headers.units("x-ratelimit-limit-" + word), headers.units("x-ratelimit-remaining-" + word));
    }

    private void put(LimitKind kind, @Nullable Long limit, @Nullable Long remaining) {
        if (limit != null && limit > 0) {
            found.put(kind, new HeaderLimit(kind, limit, remaining, true));
        }
    }

    /** OpenAI and its likes name no period. */
    private void readInferred() {
        inferred("requests", LimitUnit.REQUESTS);
        inferred("tokens", LimitUnit.TOKENS);
        inferred("input-tokens", LimitUnit.INPUT);
        inferred("output-tokens", LimitUnit.OUTPUT);
    }

    private void inferred(String word, LimitUnit unit) {
        Long limit = headers.units("x-ratelimit-limit-" + word);
        Long remaining = headers.units("x-ratelimit-remaining-" + word);
        BigDecimal reset = HeaderText.duration(headers.get("x-ratelimit-reset-" + word));
        if (limit == null || remaining == null || reset == null || remaining >= limit) {
            return;
        }
        LimitPeriod period = period(limit, limit - remaining, reset.doubleValue());
        if (period != null) {
            LimitKind kind = LimitKind.of(unit, period);
            found.putIfAbsent(kind, new HeaderLimit(kind, limit, remaining, false));
        }
    }

    /** A bucket that refills evenly is full after {@code used} / {@code limit} of its period. */
    private static @Nullable LimitPeriod period(long limit, long used, double resetMs) {
        double period = limit * resetMs / used;
        if (period >= LEAST_MINUTE && period <= MOST_MINUTE) {
            return LimitPeriod.MINUTE;
        }
        // What is full within a minute may be a counter of a minute.
        return period >= LEAST_DAY && period <= MOST_DAY && resetMs > MOST_MINUTE ? LimitPeriod.DAY : null;
    }
}

package dev.assay.domain.limit.answer;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds how long an answer asks to wait. */
final class AskedWait {

    /** Nothing is waited for longer: a wrong clock may say years. */
    static final Duration MOST = Duration.ofHours(1);

    /** A number below is no time since 1970; one from {@link #MILLISECONDS} on is in milliseconds. */
    private static final long SECONDS = 1_000_000_000L;

    private static final long MILLISECONDS = 100_000_000_000L;
    private static final long MOST_TIME = 1_000_000_000_000_000L;

    private static final Pattern WORDS =
            Pattern.compile("(?:try again|retry) in ((?:\\d{1,30}(?:\\.\\d{1,30})?(?:ms|h|m|s)){1,20})");

    private final AnswerHeaders headers;
    private final RefusalBody body;
    private final Instant now;

    private AskedWait(AnswerHeaders headers, RefusalBody body, Instant now) {
        this.headers = headers;
        this.body = body;
        this.now = now;
    }

    /** From 0 to an hour; null: it does not say. */
    static @Nullable Duration of(AnswerHeaders headers, RefusalBody body, Instant now) {
        AskedWait wait = new AskedWait(headers, body, now);
        return Stream.<Supplier<@Nullable BigDecimal>>of(
                        () -> HeaderText.milliseconds(headers.get("retry-after-ms"), 1),
                        wait::retryAfter,
                        wait::dayQuota,
                        wait::retryDelay,
                        () -> wait.reset(headers),
                        () -> wait.reset(body.innerHeaders()),
                        wait::words)
                .map(Supplier::get)
                .filter(Objects::nonNull)
                .findFirst()
                .map(AskedWait::bounded)
                .orElse(null);
    }

    private static Duration bounded(BigDecimal ms) {
        BigDecimal most = BigDecimal.valueOf(MOST.toMillis());
        return Duration.ofMillis(ms.max(BigDecimal.ZERO).min(most).longValue());
    }

    private @Nullable BigDecimal retryAfter() {
        BigDecimal ms = HeaderText.milliseconds(headers.get("retry-after"), 1_000);
        Instant until = HeaderText.date(headers.get("retry-after"));
        if (ms != null || until == null) {
            return ms;
        }
        // The clocks of providers and workers are never compared, where that can be helped.
        Instant there = HeaderText.date(headers.get("date"));
        return BigDecimal.valueOf(
                Duration.between(there == null ? now : there, until).toMillis());
    }

    /** The delay that stands beside such a quota says nothing. */
    private @Nullable BigDecimal dayQuota() {
        return body.isOfDay() ? BigDecimal.valueOf(MOST.toMillis()) : null;
    }

    private @Nullable BigDecimal retryDelay() {
        return body.details().stream()
                .map(detail -> HeaderText.duration(detail.path("retryDelay").textValue()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private @Nullable BigDecimal reset(AnswerHeaders source) {
        Long reset = HeaderText.whole(source.get("x-ratelimit-reset"), MOST_TIME);
        if (reset == null || reset < SECONDS) {
            return null;
        }
        long ms = reset >= MILLISECONDS ? reset : reset * 1_000;
        return BigDecimal.valueOf(ms - now.toEpochMilli());
    }

    private @Nullable BigDecimal words() {
        Matcher words = WORDS.matcher(body.message());
        return words.find() ? HeaderText.duration(words.group(1)) : null;
    }
}

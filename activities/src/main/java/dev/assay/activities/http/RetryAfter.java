package dev.assay.activities.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The time that a provider asks to wait (RFC 9110 §10.2.3: seconds or a date; {@code retry-after-ms} of OpenAI). */
public final class RetryAfter {

    /** Providers mean no longer waits; a wrong clock may cause one. */
    public static final Duration MAX = Duration.ofDays(1);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?");

    private RetryAfter() {}

    /**
     * From 0 to {@link #MAX}; null when the headers do not say, or say something else than a time.
     *
     * @param headers by name, in a map that ignores the case of names
     */
    public static @Nullable Duration of(Map<String, List<String>> headers, Instant now) {
        String millis = first(headers, "retry-after-ms");
        if (NUMBER.matcher(millis).matches()) {
            return bounded(Double.parseDouble(millis) / 1_000);
        }
        String value = first(headers, "retry-after");
        if (NUMBER.matcher(value).matches()) {
            return bounded(Double.parseDouble(value));
        }
        try {
            Instant until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return bounded((double) Duration.between(now, until).toSeconds());
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Duration bounded(double seconds) {
        double inRange = Math.clamp(seconds, 0.0, (double) MAX.toSeconds());
        return Duration.ofMillis((long) Math.ceil(inRange * 1_000));
    }

    private static String first(Map<String, List<String>> headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst().strip();
    }
}

package dev.assay.domain.document;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 6h}, {@code 1h30m}, {@code 45s}, or those of ISO 8601, {@code PT6H}. */
public final class WrittenDuration {

    /** Longer texts are none, so that no number overflows. */
    private static final int LONGEST = 40;

    private static final Pattern SHORT =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?");

    private WrittenDuration() {}

    /** The duration that {@code text} says, which may be negative in ISO 8601; null: it says none. */
    public static @Nullable Duration of(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            return null;
        }
        Matcher parts = SHORT.matcher(text);
        if (parts.matches()) {
            return Duration.ofDays(part(parts, 1))
                    .plusHours(part(parts, 2))
                    .plusMinutes(part(parts, 3))
                    .plusSeconds(part(parts, 4));
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException _) {
            return null;
        }
    }

    private static long part(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** {@code duration} in whole units, the largest first: {@code 1h30m}. Parts of a second are left out. */
    public static String written(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), 'd');
        append(text, duration.toHoursPart(), 'h');
        append(text, duration.toMinutesPart(), 'm');
        append(text, duration.toSecondsPart(), 's');
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long count, char unit) {
        if (count != 0) {
            text.append(count).append(unit);
        }
    }
}

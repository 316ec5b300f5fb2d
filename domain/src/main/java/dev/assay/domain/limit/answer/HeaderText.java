package dev.assay.domain.limit.answer;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads numbers, times and dates that stand in headers. What is none of them is null, never an error. */
final class HeaderText {

    /** The largest number that a limit may be. */
    static final long MOST_UNITS = 1_000_000_000_000L;

    private static final Pattern WHOLE = Pattern.compile("(\\d{1,15})(?:\\.\\d{1,9})?");
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,18}(?:\\.\\d{1,9})?");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(?:\\.\\d{1,9})?");
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|us|µs|ns|h|m|s|d)");

    /** No server writes more than a handful of parts. */
    private static final Pattern PARTS = Pattern.compile("(?:" + PART.pattern() + "){1,20}");

    private static final Pattern DATE =
            Pattern.compile("[A-Z][a-z]{2}, (\\d{1,2}) ([A-Z][a-z]{2}) (\\d{4}) (\\d{2}):(\\d{2}):(\\d{2}) GMT");

    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    private static final Map<String, BigDecimal> MILLISECONDS = Map.of(
            "ns", new BigDecimal("0.000001"),
            "us", new BigDecimal("0.001"),
            "µs", new BigDecimal("0.001"),
            "ms", BigDecimal.ONE,
            "s", new BigDecimal(1_000),
            "m", new BigDecimal(60_000),
            "h", new BigDecimal(3_600_000),
            "d", new BigDecimal(86_400_000));

    private HeaderText() {}

    /** A whole number from 0; decimals are cut off. */
    static @Nullable Long whole(@Nullable String text, long most) {
        Matcher number = WHOLE.matcher(text == null ? "" : text.strip().replace(",", ""));
        if (!number.matches()) {
            return null;
        }
        long value = Long.parseLong(number.group(1));
        return value <= most ? value : null;
    }

    /** A plain number of units of {@code unitMs} milliseconds, in milliseconds, rounded up. */
    static @Nullable BigDecimal milliseconds(@Nullable String text, long unitMs) {
        String number = text == null ? "" : text.strip();
        return DECIMAL.matcher(number).matches()
                ? roundedUp(new BigDecimal(number).multiply(BigDecimal.valueOf(unitMs)))
                : null;
    }

    /** A time such as {@code 1m30s}, {@code 500ms} or {@code 12.5s}, in milliseconds, rounded up. A bare number is seconds. */
    static @Nullable BigDecimal duration(@Nullable String text) {
        String time = text == null ? "" : text.strip();
        if (SECONDS.matcher(time).matches()) {
            return milliseconds(time, 1_000);
        }
        if (!PARTS.matcher(time).matches()) {
            return null;
        }
        BigDecimal sum = PART.matcher(time)
                .results()
                .map(part -> new BigDecimal(part.group(1)).multiply(MILLISECONDS.get(part.group(2))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return roundedUp(sum.setScale(6, RoundingMode.HALF_EVEN));
    }

    private static BigDecimal roundedUp(BigDecimal number) {
        return number.setScale(0, RoundingMode.CEILING);
    }

    /** A date of HTTP (RFC 9110 §5.6.7, its preferred form). Its day of the week is not looked at. */
    static @Nullable Instant date(@Nullable String text) {
        Matcher date = DATE.matcher(text == null ? "" : text.strip());
        if (!date.matches()) {
            return null;
        }
        int year = number(date, 3);
        // Years of two digits are those of RFC 5322 §4.3, as Python reads them.
        int full = year >= 100 ? year : year > 68 ? 1900 + year : 2000 + year;
        try {
            return LocalDateTime.of(
                            full,
                            MONTHS.indexOf(date.group(2)) + 1,
                            number(date, 1),
                            number(date, 4),
                            number(date, 5),
                            number(date, 6))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static int number(Matcher date, int group) {
        return Integer.parseInt(date.group(group));
    }
}

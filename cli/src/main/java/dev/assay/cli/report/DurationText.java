package dev.assay.cli.report;

import java.util.Locale;

/** A time that is not known to the second, for people. */
public final class DurationText {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private DurationText() {}

    /** Such as {@code 45 s}, {@code 11 min}, {@code 5 h}, {@code 3 days}; rounded up. */
    public static String of(long seconds) {
        if (seconds < 2 * MINUTE) {
            return seconds + " s";
        }
        if (seconds < 2 * HOUR) {
            return Math.ceilDiv(seconds, MINUTE) + " min";
        }
        return seconds < 2 * DAY
                ? Math.ceilDiv(seconds, HOUR) + " h"
                : String.format(Locale.ROOT, "%,d days", Math.ceilDiv(seconds, DAY));
    }
}

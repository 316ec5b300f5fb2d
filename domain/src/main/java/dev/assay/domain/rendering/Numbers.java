package dev.assay.domain.rendering;

import dev.assay.domain.gate.Proportion;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.UsageTotal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Numbers as reports show them, the same in every locale. */
public final class Numbers {

    /** Stands for what is not known. */
    public static final String UNKNOWN = "–";

    private static final long MILLIS_SHOWN_AS_SUCH = 1_000;
    private static final BigDecimal CENT = new BigDecimal("0.01");

    private Numbers() {}

    /** A share of 0–1 as a percentage with one decimal. */
    public static String percent(@Nullable Double share) {
        return share == null ? UNKNOWN : decimal(share * 100) + " %";
    }

    /** A share of 0–1 as a whole percentage; one that is not 0 or 1 is not shown as such. */
    public static String wholePercent(double share) {
        long percent = Math.round(share * 100);
        if (percent == 0 && share > 0) {
            return "less than 1 %";
        }
        return percent == 100 && share < 1 ? "more than 99 %" : percent + " %";
    }

    /** An interval of shares of 0–1. */
    public static String interval(@Nullable Double low, @Nullable Double high) {
        return low == null || high == null ? UNKNOWN : decimal(low * 100) + "–" + decimal(high * 100) + " %";
    }

    /** A rate as the share of what is known, with its counts. What is unknown is no failure: the interval beside it holds it. */
    public static String known(Proportion rate) {
        return percent(rate.known() == null && rate.unknown() == 0 ? rate.value() : rate.known()) + " (" + ofKnown(rate)
                + ")";
    }

    /** How many succeeded, of those of which something is known; a dash where nothing is. */
    public static String ofKnown(Proportion rate) {
        if (rate.unknown() > 0 && rate.unknown() == rate.denominator()) {
            return UNKNOWN;
        }
        return count(rate.successes()) + "/" + count(rate.denominator() - rate.unknown());
    }

    /** A rate of cases with its counts. Where some are open, those that are decided are no sample: they have no share. */
    public static String decided(Proportion cases) {
        return cases.unknown() == 0
                ? known(cases)
                : cases.unknown() == cases.denominator()
                        ? UNKNOWN
                        : count(cases.successes()) + "/" + count(cases.denominator() - cases.unknown()) + ", "
                                + count(cases.unknown()) + " open";
    }

    public static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** With the noun that is counted, which takes an s in the plural. */
    public static String count(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** Tokens; a sum that leaves answers out says how many. A dash where none are known, as where nothing was answered. */
    public static String tokens(UsageTotal tokens) {
        return tokens(tokens, Numbers::count);
    }

    /** @param written how the sum is written */
    static String tokens(UsageTotal tokens, LongFunction<String> written) {
        Long total = tokens.usage().total();
        if (total == null || tokens.equals(UsageTotal.NONE)) {
            return UNKNOWN;
        }
        return written.apply(total)
                + (tokens.unknownUsage() == 0 ? "" : " (" + count(tokens.unknownUsage()) + " unknown)");
    }

    /** US dollars: cents, or two significant digits below one cent. */
    public static String cost(@Nullable BigDecimal usd) {
        if (usd == null) {
            return UNKNOWN;
        }
        if (usd.signum() == 0 || usd.compareTo(CENT) >= 0) {
            return "$" + usd.setScale(2, RoundingMode.HALF_UP).toPlainString();
        }
        return "$" + usd.round(new MathContext(2)).toPlainString();
    }

    /** A sum that leaves something out is marked. */
    public static String spent(Spend spend) {
        String known = cost(spend.costUsd());
        return spend.costUsd() == null || spend.unpriced() == 0
                ? known
                : known + " + " + count(spend.unpriced()) + " unpriced";
    }

    public static String millis(@Nullable Long millis) {
        if (millis == null) {
            return UNKNOWN;
        }
        return millis < MILLIS_SHOWN_AS_SUCH ? millis + " ms" : decimal(millis / 1000.0) + " s";
    }

    /** Such as {@code 45s}, {@code 3m05s}, {@code 2h10m}. */
    public static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + "s";
        }
        return seconds < 3_600
                ? String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh%02dm", seconds / 3_600, seconds % 3_600 / 60);
    }
}

package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Spending;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person changes of the limits of a pool while workers run.
 *
 * @param models the pattern of an entry of the settings, as it is written there
 * @param account what the provider counts for; null: all accounts
 * @param reason why, for those who look at it later
 * @param limits units a period; empty: back to what holds without a person's word. Those that are left out stay
 * @param calls how many may be in flight, with all accounts; null: that stays
 */
public record ManualLimitChange(
        String models,
        @Nullable String account,
        String reason,
        Map<LimitKind, Optional<Long>> limits,
        @Nullable Calls calls) {

    /** The most characters of a reason. */
    public static final int LONGEST_REASON = 500;

    /** The calls in flight, as the settings and changes call them. */
    public static final String CONCURRENT = "concurrent";

    private static final String WHAT = "change of limits";
    private static final int LONGEST_ACCOUNT = 64;
    private static final NumberRule UNITS = NumberRule.whole(1, Spending.MOST_LIMIT);
    private static final Fields FIELDS = Fields.of(
            WHAT,
            Stream.concat(Stream.of("models", "account", "reason", CONCURRENT), LimitKind.byWord().keySet().stream())
                    .toArray(String[]::new));

    public ManualLimitChange {
        EnumMap<LimitKind, Optional<Long>> ordered = new EnumMap<>(LimitKind.class);
        ordered.putAll(limits);
        limits = Collections.unmodifiableMap(ordered);
    }

    /**
     * A change of the calls in flight.
     *
     * @param bounds null: back to what is configured
     */
    public record Calls(@Nullable CallBounds bounds) {}

    /**
     * Reads a user's document.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static ManualLimitChange read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        String models = fields.line("models", ModelLimitsReader.LONGEST_NAME);
        String account = fields.hasValue("account") ? fields.line("account", LONGEST_ACCOUNT) : null;
        String reason = fields.line("reason", LONGEST_REASON);
        Map<LimitKind, Optional<Long>> limits = limits(fields);
        Calls calls = fields.has(CONCURRENT) ? new Calls(CallBounds.read(fields, CONCURRENT)) : null;
        if (document.isObject()
                && calls == null
                && LimitKind.byWord().keySet().stream().noneMatch(fields::has)) {
            problems.add(
                    "",
                    "Nothing is to change: name a limit such as `requestsPerMinute`, with a number, or null to take"
                            + " it back.");
        }
        problems.throwIfAny(WHAT);
        return new ManualLimitChange(models, account, reason, limits, calls);
    }

    private static Map<LimitKind, Optional<Long>> limits(FieldReader fields) {
        Map<LimitKind, Optional<Long>> limits = new EnumMap<>(LimitKind.class);
        LimitKind.byWord().forEach((word, kind) -> {
            if (fields.has(word)) {
                BigDecimal units = fields.nullableDecimal(word, UNITS);
                limits.put(kind, Optional.ofNullable(units).map(BigDecimal::longValueExact));
            }
        });
        return limits;
    }

    /** Whether it is about {@code pool} of its provider. */
    public boolean isFor(ModelPool pool) {
        return pool.models().equals(models)
                && (account == null || pool.account().equals(account));
    }
}

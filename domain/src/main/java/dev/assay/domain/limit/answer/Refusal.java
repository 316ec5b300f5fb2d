package dev.assay.domain.limit.answer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of an answer that is no success, for its pool and its key.
 *
 * @param limits those of its headers, replaced by those that its words name
 * @param retryAfter how long it asks to wait, 0 to an hour; null: it does not say, or waiting does not help
 */
public record Refusal(
        Kind kind, List<HeaderLimit> limits, @Nullable Duration retryAfter) {

    /** The thing that is refused. */
    public enum Kind {
        /** The key. */
        AUTH,
        /** The account has no quota or credit left. */
        QUOTA,
        /** The request, for ever: it is larger than a limit. */
        TOO_LARGE,
        /** The request for now: a limit is used up. */
        RATE,
        /** The request for now, and no limit is named: too many calls are in flight. */
        CONCURRENCY,
        /** Something else. */
        OTHER
    }

    private static final Set<String> BILLING = Set.of(
            "insufficient_quota",
            "billing_hard_limit_reached",
            "billing_not_active",
            "billing_error",
            "enforced_spend_limit_reached");

    private static final List<String> BILLING_WORDS =
            List.of("credit balance is too low", "insufficient balance", "enforced_spend_limit_reached");

    /** Statuses of answers that may come later: only these are waited for, and what is nothing else. */
    private static final Set<Integer> LATER = Set.of(429, 503, 529);

    public Refusal {
        limits = List.copyOf(limits);
    }

    /**
     * Reads an answer.
     *
     * @param status of HTTP, not 2xx
     * @param body the parsed JSON; a text where it is none, a JSON null where there is none
     */
    public static Refusal of(int status, AnswerHeaders headers, JsonNode body, Instant now) {
        RefusalBody read = new RefusalBody(body);
        List<HeaderLimit> limits = HeaderLimits.of(headers);
        Kind kind = finalKind(status, read);
        Map<LimitKind, NamedLimits.Naming> named = kind == null ? NamedLimits.of(read) : Map.of();
        if (kind == null) {
            kind = laterKind(read, !named.isEmpty() || showsOneUsedUp(limits, headers));
        }
        boolean mayWait = LATER.contains(status) || kind == Kind.OTHER;
        return new Refusal(kind, merged(limits, named), mayWait ? AskedWait.of(headers, read, now) : null);
    }

    /** Reads an answer whose body may be no JSON. */
    public static Refusal of(int status, AnswerHeaders headers, String body, Instant now) {
        return of(status, headers, RefusalBody.parsed(body), now);
    }

    /** Whether the same request may go later: a limit is used up, or too many calls are in flight. */
    public boolean isForLater() {
        return kind == Kind.RATE || kind == Kind.CONCURRENCY;
    }

    /** The least of the limits of tokens: the one for which a request is too large. Null: it names none. */
    public @Nullable HeaderLimit leastOfTokens() {
        return limits.stream()
                .filter(limit -> limit.kind().unit() != LimitUnit.REQUESTS)
                .min(Comparator.comparingLong(HeaderLimit::limit))
                .orElse(null);
    }

    /**
     * How long an answer asks to wait, 0 to an hour.
     *
     * @return null: it does not say
     */
    public static @Nullable Duration askedWait(AnswerHeaders headers, JsonNode body, Instant now) {
        return AskedWait.of(headers, new RefusalBody(body), now);
    }

    /** The kind that waiting does not mend; null: too many requests. */
    private static @Nullable Kind finalKind(int status, RefusalBody body) {
        Kind ofKey = ofKey(status, body.words(), body.lowerMessage());
        return ofKey == null && status != 429 ? Kind.OTHER : ofKey;
    }

    /**
     * Why an answer refuses the key: AUTH or QUOTA.
     *
     * @return null: it says nothing of the key
     */
    public static @Nullable Kind ofKey(int status, Set<String> words, String lowerMessage) {
        return switch (status) {
            case 401 -> Kind.AUTH;
            case 402 -> Kind.QUOTA;
            case 400, 403, 429 -> isOfBilling(words, lowerMessage) ? Kind.QUOTA : null;
            default -> null;
        };
    }

    private static Kind laterKind(RefusalBody body, boolean namesLimit) {
        String text = body.lowerMessage();
        if (text.contains("request too large")) {
            return Kind.TOO_LARGE;
        }
        return namesLimit || text.contains("per minute") || text.contains("per day") ? Kind.RATE : Kind.CONCURRENCY;
    }

    private static boolean isOfBilling(Set<String> words, String lowerMessage) {
        return !Collections.disjoint(words, BILLING) || BILLING_WORDS.stream().anyMatch(lowerMessage::contains);
    }

    /** Azure says what remains, and no limit. */
    private static boolean showsOneUsedUp(List<HeaderLimit> limits, AnswerHeaders headers) {
        return limits.stream().anyMatch(limit -> limit.remaining() != null && limit.remaining() == 0)
                || headers.values().entrySet().stream()
                        .anyMatch(header -> isRemaining(header.getKey())
                                && header.getValue().strip().equals("0"));
    }

    private static boolean isRemaining(String header) {
        return header.startsWith("x-ratelimit-remaining")
                || (header.startsWith("anthropic-ratelimit") && header.contains("remaining"));
    }

    private static List<HeaderLimit> merged(List<HeaderLimit> limits, Map<LimitKind, NamedLimits.Naming> named) {
        EnumMap<LimitKind, HeaderLimit> merged = new EnumMap<>(LimitKind.class);
        limits.forEach(limit -> merged.put(limit.kind(), limit));
        named.forEach((kind, naming) -> {
            if (naming.limit() != null) {
                merged.put(kind, new HeaderLimit(kind, naming.limit(), naming.remaining(), true));
            }
        });
        return List.copyOf(merged.values());
    }
}

package dev.assay.domain.provider;

import dev.assay.domain.limit.outage.Outage;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key of a provider, and whether it is used.
 *
 * @param reason AUTH or QUOTA of a disabled one, what the person said of a draining one; null: none
 * @param since from when on it is so; null: it is enabled or missing
 * @param values those that live workers have of it
 */
public record KeyState(
        ProviderKey key,
        Use use,
        @Nullable String reason,
        @Nullable Instant since,
        List<Value> values) {

    /** Whether requests are sent with it. */
    public enum Use {
        /** They are. */
        ENABLED,
        /** A person decided that nothing new is sent. */
        DRAINING,
        /** The provider refuses it. */
        DISABLED,
        /** No live worker has it. */
        MISSING
    }

    /**
     * A value of a key.
     *
     * @param refused why it is refused; null: it is not
     * @param since from when on it is refused; null: it is not
     * @param workers how many live ones have it, at least 1
     */
    public record Value(
            String fingerprint,
            Outage.@Nullable Reason refused,
            @Nullable Instant since,
            long workers) {}

    /**
     * A person's decision to drain a key.
     *
     * @param reason as the person said
     */
    public record Decision(String reason, Instant since) {}

    public KeyState {
        values = List.copyOf(values);
    }

    /**
     * The state of a key, which is disabled where each of its values is refused.
     *
     * @param drained null: nobody drains it
     */
    public static KeyState of(ProviderKey key, List<Value> values, @Nullable Decision drained) {
        if (drained != null) {
            return new KeyState(key, Use.DRAINING, drained.reason(), drained.since(), values);
        }
        if (values.isEmpty()) {
            return new KeyState(key, Use.MISSING, null, null, values);
        }
        if (values.stream().anyMatch(value -> value.refused() == null)) {
            return new KeyState(key, Use.ENABLED, null, null, values);
        }
        Value last = values.stream()
                .filter(value -> value.since() != null)
                .max(Comparator.comparing(value -> Objects.requireNonNull(value.since())))
                .orElse(values.getFirst());
        return new KeyState(key, Use.DISABLED, String.valueOf(last.refused()), last.since(), values);
    }
}

package dev.assay.web.provider;

import dev.assay.domain.provider.KeyState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A key of a provider. Its value is told nowhere.
 *
 * @param account what the provider counts limits for
 * @param variable the environment variable that holds it
 * @param weight how often it is used beside others
 * @param state enabled; draining, as a person decided; disabled, as the provider refuses it; missing, as no live worker has it
 * @param reason AUTH or QUOTA where it is disabled, what the person said where it is draining; null: none
 * @param since from when on it is disabled or draining; null: it is neither
 * @param workers live workers that have it
 * @param values what these workers have; with several values workers differ
 */
public record KeyView(
        @Schema(example = "main") String name,
        @Schema(example = "main") String account,
        @Schema(example = "OPENAI_API_KEY") String variable,
        int weight,

        @Schema(example = "enabled") String state,

        @Nullable String reason,
        @Nullable Instant since,
        long workers,
        List<ValueView> values) {

    public KeyView {
        values = List.copyOf(values);
    }

    /**
     * A value of a key, as workers have it.
     *
     * @param fingerprint 12 hexadecimal digits, of which nobody can tell the value
     * @param state enabled, or disabled: the provider refuses it
     * @param reason AUTH or QUOTA where it is disabled; null: it is not
     * @param workers live workers that have it
     */
    public record ValueView(
            @Schema(example = "0123456789ab") String fingerprint,

            @Schema(example = "enabled") String state,

            @Nullable String reason,
            long workers) {

        private static ValueView of(KeyState.Value value) {
            boolean isRefused = value.refused() != null;
            return new ValueView(
                    value.fingerprint(),
                    isRefused ? "disabled" : "enabled",
                    isRefused ? String.valueOf(value.refused()) : null,
                    value.workers());
        }
    }

    static KeyView of(KeyState state) {
        return new KeyView(
                state.key().name(),
                state.key().account(),
                state.key().variable(),
                state.key().weight(),
                state.use().name().toLowerCase(Locale.ROOT),
                state.reason(),
                state.since(),
                state.values().stream().mapToLong(KeyState.Value::workers).sum(),
                state.values().stream().map(ValueView::of).toList());
    }
}

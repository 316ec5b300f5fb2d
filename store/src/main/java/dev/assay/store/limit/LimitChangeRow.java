package dev.assay.store.limit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What changed of the limits of a pool.
 *
 * @param name of the limit, as in the settings; {@code concurrent}; {@code key/} and the name of a key
 * @param oldValue what was in force before; null: nothing was
 * @param newValue what is in force since; null: nothing is
 * @param why {@code configured}: the settings of workers; {@code manual}: a person; {@code header}: an answer; {@code slow_start},
 *     {@code growth}, {@code cut}: how many calls may be in flight; {@code key}: a key
 * @param who the name of a token, {@code local}, or the worker that brought it; {@code assay}: a server noticed it
 * @param reason in the words of a person; AUTH or QUOTA of a key; null: nothing was said
 */
public record LimitChangeRow(
        long id,
        Instant at,
        String provider,
        String account,
        String models,
        String name,

        @JsonProperty("old") @Nullable String oldValue,

        @JsonProperty("new") @Nullable String newValue,

        String why,
        String who,
        @Nullable String reason) {}

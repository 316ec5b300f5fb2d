package dev.assay.domain.limit.answer;

import dev.assay.domain.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * A limit that an answer gives.
 *
 * @param limit units a period, at least 1
 * @param remaining units that are left; null: it does not say
 * @param named whether it says the period; else that was inferred
 */
public record HeaderLimit(
        LimitKind kind, long limit, @Nullable Long remaining, boolean named) {}

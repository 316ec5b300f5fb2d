package dev.assay.store.access;

import dev.assay.domain.access.Scope;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored facts of a token, without the token itself.
 *
 * @param name unique for ever
 * @param expiresAt null: never
 * @param revokedAt null: it was not
 * @param revokedBy who did so; null: nobody, or it was not noted
 * @param revokedWhy null: it was not
 */
@Introspected
public record StoredToken(
        String name,
        Scope scope,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String revokedBy,
        @Nullable Revocation revokedWhy) {}

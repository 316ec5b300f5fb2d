package dev.assay.activities.provider;

import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.domain.provider.ProviderSettings;
import org.jspecify.annotations.Nullable;

/**
 * The address and key with which a provider is asked.
 *
 * @param key fits a header; null: it needs none
 */
public record ProviderAccess(
        ProviderSettings settings, @Nullable ApiKey key) {}

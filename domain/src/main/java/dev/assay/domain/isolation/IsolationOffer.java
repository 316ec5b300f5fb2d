package dev.assay.domain.isolation;

import org.jspecify.annotations.Nullable;

/**
 * The word of a worker on the programs that it starts.
 *
 * @param level how far it keeps them apart
 * @param refusal why it starts none though some are allowed, as a sentence; null: it starts those that are allowed
 * @param lowered why some program that starts has no container though one was to be had; null: none is so
 * @param holdsLimits whether it bounds memory, processes and processors of an attempt
 */
public record IsolationOffer(
        IsolationLevel level,
        @Nullable String refusal,
        @Nullable String lowered,
        boolean holdsLimits) {}

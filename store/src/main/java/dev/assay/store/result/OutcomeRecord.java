package dev.assay.store.result;

import org.jspecify.annotations.Nullable;

/**
 * An outcome with its transcript as it is stored.
 *
 * @param row without its transcript
 * @param messages JSON
 * @param answerHash what evaluators read, SHA-256; null: there is no answer, or an earlier build recorded it
 */
public record OutcomeRecord(
        OutcomeRow row, String messages, @Nullable String answerHash) {}

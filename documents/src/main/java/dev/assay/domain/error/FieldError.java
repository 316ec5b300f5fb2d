package dev.assay.domain.error;

/**
 * One error in a document that a user wrote.
 *
 * @param path where, as in {@code branches[1].model}; empty for the document as a whole
 * @param message one sentence: what is wrong and what to do
 */
public record FieldError(String path, String message) {}

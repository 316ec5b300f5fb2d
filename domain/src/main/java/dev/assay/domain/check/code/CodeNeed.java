package dev.assay.domain.check.code;

import org.jspecify.annotations.Nullable;

/**
 * What must be there, and allowed, for own code to run.
 *
 * @param program the first word of the command; null: the interpreter of {@code language}
 */
public record CodeNeed(CodeLanguage language, @Nullable String program) {}

package dev.assay.domain.check.code;

import org.jspecify.annotations.Nullable;

/**
 * A run of own code.
 *
 * @param interpreter that ran it; null: a program ran, or nothing did
 */
public record CodeRun(CodeReply reply, @Nullable Interpreter interpreter) {}

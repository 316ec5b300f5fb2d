package dev.assay.domain.grading;

import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.check.code.Script;

/** Code that an interpreter loads, and what for. */
public record UsedScript(Script script, CodeUse use) {}

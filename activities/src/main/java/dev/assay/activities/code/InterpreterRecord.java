package dev.assay.activities.code;

import dev.assay.domain.check.code.Interpreter;

/** Records which interpreters ran own code of campaigns. */
@FunctionalInterface
interface InterpreterRecord {

    /** A process of {@code interpreter} begins to run code of the campaign. */
    void used(String campaignId, Interpreter interpreter);
}

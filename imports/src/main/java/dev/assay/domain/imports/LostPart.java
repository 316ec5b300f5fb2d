package dev.assay.domain.imports;

import org.jspecify.annotations.Nullable;

/** What a part of another tool's file is that has no counterpart here. */
public enum LostPart {
    /** A check; another one holds its place, and says so. */
    CHECK(null),
    /** A provider, which is not asked. */
    PROVIDER("providers"),
    /** A prompt, which is not sent. */
    PROMPT("prompts"),
    /** A test, or all tests of a program. */
    TEST("tests"),
    /** What changes how models are asked. */
    SETTING("settings");

    private final @Nullable String field;

    LostPart(@Nullable String field) {
        this.field = field;
    }

    /** The field of {@code lost} that counts these; null: none does. */
    @Nullable
    String field() {
        return field;
    }
}

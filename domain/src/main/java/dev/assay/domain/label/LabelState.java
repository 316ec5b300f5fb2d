package dev.assay.domain.label;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What people say of an answer as a whole, as lists are narrowed by it. */
public enum LabelState {
    /** The majority says that it passes. */
    PASS,
    /** The majority says that it fails. */
    FAIL,
    /** It has labels, and no majority. */
    UNSURE,
    /** It has no label. */
    NONE,
    /** The majority says the contrary of the verdict. */
    DISAGREES;

    /**
     * The state of a word; null: none.
     *
     * @throws AssayException INVALID_INPUT when there is no such word
     */
    public static @Nullable LabelState of(@Nullable String word) {
        if (word == null) {
            return null;
        }
        for (LabelState state : values()) {
            if (state.name().toLowerCase(Locale.ROOT).equals(word)) {
                return state;
            }
        }
        throw AssayException.invalid(
                "A parameter of the request is not valid",
                List.of(new FieldError("label", "Write pass, fail, unsure, none or disagrees")));
    }
}

package dev.assay.work.compute;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A text, or why there is none.
 *
 * @param text null: there is a problem
 * @param problem a sentence; null: there is a text
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Answered(@Nullable String text, @Nullable String problem) {

    public Answered {
        if ((text == null) == (problem == null)) {
            throw new IllegalArgumentException("There is either a text or a problem");
        }
    }

    static Answered text(String text) {
        return new Answered(text, null);
    }

    static Answered problem(@Nullable String problem) {
        return new Answered(null, String.valueOf(problem));
    }
}

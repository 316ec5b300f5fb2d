package dev.assay.domain.hypothesis;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The verdict of a rubric on a hypothesis. Users and models write the constant in lower case. */
public enum HypothesisVerdict {
    /** Its composite reaches {@code pass}. */
    PASS,
    /** Its composite reaches {@code borderline} only. */
    BORDERLINE,
    /** Its composite does not, or one of its scores is below {@code minDimension}. */
    FAIL;

    /** The word that users write and read. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The verdict that a text names, in upper or lower case; null: another word. */
    public static @Nullable HypothesisVerdict of(String written) {
        String word = written.strip();
        return Arrays.stream(values())
                .filter(verdict -> verdict.name().equalsIgnoreCase(word))
                .findFirst()
                .orElse(null);
    }
}

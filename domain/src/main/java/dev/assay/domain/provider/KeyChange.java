package dev.assay.domain.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import java.util.Map;

/**
 * What a person decides of a key.
 *
 * @param isEnabled whether it may be used; if not, nothing new is sent with it
 * @param reason why, for those who look at it later
 */
public record KeyChange(boolean isEnabled, String reason) {

    /** The most characters of a reason. */
    public static final int LONGEST_REASON = 500;

    private static final String WHAT = "change of a key";
    private static final Fields FIELDS = Fields.of(WHAT, "state", "reason");
    private static final Map<String, Boolean> STATES = Map.of("enabled", true, "draining", false);

    /**
     * Reads a user's document.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static KeyChange read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        Boolean isEnabled = fields.word("state", STATES);
        String reason = fields.line("reason", LONGEST_REASON);
        problems.throwIfAny(WHAT);
        return new KeyChange(Boolean.TRUE.equals(isEnabled), reason);
    }
}

package dev.assay.domain.steering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.error.AssayException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which cells of a campaign are to be run again. A cell that passed never is.
 *
 * @param only which of the cells that did not pass
 * @param cases ids of the only cases that count; empty: all
 * @param branches ids of the only branches that count; empty: all
 */
public record Rerun(Only only, List<String> cases, List<String> branches) {

    private static final String WHAT = "re-run";

    private static final Fields FIELDS = Fields.of(WHAT, "only", "cases", "branches");

    private static final Map<String, Only> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("failed", Only.FAILED);
        WORDS.put("errored", Only.ERRORED);
        WORDS.put("all", Only.ALL);
    }

    public Rerun {
        cases = List.copyOf(cases);
        branches = List.copyOf(branches);
    }

    /** Why a cell did not pass. */
    public enum Only {
        /** It completed and a required check failed. */
        FAILED,
        /** MODEL_ERROR, TIMED_OUT, or a LIMIT that did not pass; without {@code branches} judge calls that failed, too. */
        ERRORED,
        /** Both. */
        ALL;

        public boolean failed() {
            return this != ERRORED;
        }

        public boolean errored() {
            return this != FAILED;
        }
    }

    /**
     * Reads what a user wrote; {@code only} is {@code all} when it is left out.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static Rerun read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        Only only = fields.word("only", WORDS, Only.ALL);
        List<String> cases = fields.list("cases", TextRules.lineItem(IdRule.MAX_LENGTH));
        List<String> branches = fields.list("branches", TextRules.lineItem(IdRule.MAX_LENGTH));
        problems.throwIfAny(WHAT);
        return new Rerun(only, cases, branches);
    }
}

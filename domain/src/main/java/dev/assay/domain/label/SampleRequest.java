package dev.assay.domain.label;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.error.AssayException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample as a request asks for it.
 *
 * @param count how many answers, 1–1,000,000
 * @param seed orders them
 * @param branches ids; empty: all
 * @param check what people are asked about; null: the trial as a whole
 */
public record SampleRequest(
        int count,
        long seed,
        List<String> branches,
        @Nullable String check) {

    private static final String WHAT = "sample";
    private static final long SEED = 1;
    private static final int MAX_COUNT = 1_000_000;

    private static final Fields FIELDS = Fields.of(WHAT, "count", "seed", "branches", "check");

    public SampleRequest {
        branches = List.copyOf(branches);
    }

    /**
     * Reads a user's document.
     *
     * @param known ids of the campaign's branches
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static SampleRequest read(JsonNode document, List<String> known) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        if (fields.required("count") == null) {
            problems.throwIfAny(WHAT);
        }
        int count = fields.integer("count", NumberRule.whole(1, MAX_COUNT), 1);
        long seed = fields.longInteger("seed", NumberRule.whole(Integer.MIN_VALUE, Integer.MAX_VALUE), SEED);
        List<String> branches = fields.list("branches", TextRules.lineItem(LabelRules.MAX_NAME));
        for (int i = 0; i < branches.size(); i++) {
            if (!known.contains(branches.get(i))) {
                problems.add("branches[" + i + "]", "The campaign has no branch " + branches.get(i) + ".");
            }
        }
        String check = fields.hasValue("check") ? fields.line("check", LabelRules.MAX_NAME) : null;
        problems.throwIfAny(WHAT);
        return new SampleRequest(count, seed, branches, check);
    }
}

package dev.assay.domain.steering;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a campaign that are to be run again. A cell that passed is only in a whole re-run.
 *
 * @param only which of the cells that did not pass; not with {@code whole}
 * @param cases ids of the only cases that count; empty: all; not with {@code whole}
 * @param branches ids of the only branches that count; empty: all
 * @param whole whether every cell of the branches is asked again, passed ones too. Only then do the new draws replace the earlier
 *     ones; else the first draw of a cell that passed or failed keeps counting
 */
public record Rerun(Only only, List<String> cases, List<String> branches, boolean whole) {

    private static final String WHAT = "re-run";

    private static final Fields FIELDS = Fields.of(WHAT, "only", "cases", "branches", "whole");

    private static final Set<OutcomeStatus> ERRORS =
            Set.of(OutcomeStatus.MODEL_ERROR, OutcomeStatus.TIMED_OUT, OutcomeStatus.LIMIT);

    private static final Map<String, Only> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("failed", Only.FAILED);
        WORDS.put("errored", Only.ERRORED);
        WORDS.put("all", Only.ALL);
        WORDS.put("grades", Only.GRADES);
    }

    public Rerun {
        cases = List.copyOf(cases);
        branches = List.copyOf(branches);
        if (whole && (only != Only.ALL || !cases.isEmpty())) {
            throw new IllegalArgumentException("A whole re-run asks every cell of its branches again");
        }
    }

    /** Cells that did not pass. */
    public Rerun(Only only, List<String> cases, List<String> branches) {
        this(only, cases, branches, false);
    }

    /** Every cell of some branches. */
    public static Rerun whole(List<String> branches) {
        return new Rerun(Only.ALL, List.of(), branches, true);
    }

    /** The reason why a cell did not pass. */
    public enum Only {
        /** It completed and a required check failed. */
        @JsonProperty("failed")
        FAILED,
        /** MODEL_ERROR, TIMED_OUT, or a LIMIT that did not pass; without {@code branches} judge calls that failed, too. */
        @JsonProperty("errored")
        ERRORED,
        /** Both. */
        @JsonProperty("all")
        ALL,
        /** The grades that did not pass, of cells that did not pass; no answer is repeated. */
        @JsonProperty("grades")
        GRADES
    }

    /**
     * The cells that a re-run opens.
     *
     * @param cases indexes of the only cases that count; null: all
     * @param branches indexes of the only branches that count; null: all
     * @param outcomes the statuses of outcomes that are made again, unless they passed; a COMPLETED one only when it is known not
     *     to have passed. Empty for a whole re-run, which asks for no status
     * @param judgeCalls the statuses of judge calls that are asked again, beside those about outcomes that are made again
     */
    public record Cells(
            @Nullable List<Integer> cases,
            @Nullable List<Integer> branches,
            Set<OutcomeStatus> outcomes,
            Set<OutcomeStatus> judgeCalls) {}

    /**
     * The cells that it opens in a campaign.
     *
     * @param caseIds its cases, in order
     * @param branchIds its branches, in order
     * @throws AssayException INVALID_INPUT with every case and branch that the campaign does not have
     */
    public Cells cells(String campaignId, List<String> caseIds, List<String> branchIds) {
        List<FieldError> unknown = new ArrayList<>();
        Set<OutcomeStatus> outcomes = unpassed();
        Cells cells = new Cells(
                indexes("cases", cases, caseIds, unknown),
                indexes("branches", branches, branchIds, unknown),
                outcomes,
                outcomes.containsAll(ERRORS) && branches.isEmpty() ? ERRORS : Set.of());
        if (!unknown.isEmpty()) {
            throw AssayException.invalid("The re-run names what campaign " + campaignId + " does not have", unknown);
        }
        return cells;
    }

    private Set<OutcomeStatus> unpassed() {
        Set<OutcomeStatus> outcomes = EnumSet.noneOf(OutcomeStatus.class);
        if (only == Only.FAILED || (only == Only.ALL && !whole)) {
            outcomes.add(OutcomeStatus.COMPLETED);
        }
        if (only == Only.ERRORED || (only == Only.ALL && !whole)) {
            outcomes.addAll(ERRORS);
        }
        return outcomes;
    }

    /** The places of {@code wanted} in {@code known}; null when none is wanted: then all are. */
    private static @Nullable List<Integer> indexes(
            String field, List<String> wanted, List<String> known, List<FieldError> unknown) {
        if (wanted.isEmpty()) {
            return null;
        }
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < known.size(); i++) {
            places.put(known.get(i), i);
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!places.containsKey(wanted.get(i))) {
                String path = field + "[" + i + "]";
                unknown.add(new FieldError(path, "The campaign has no `" + wanted.get(i) + "` among its " + field));
            }
        }
        return wanted.stream().map(id -> places.getOrDefault(id, -1)).toList();
    }

    /**
     * Reads a user's document; {@code only} is {@code all} when it is left out.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static Rerun read(Map<String, Object> document) {
        return read(Json.mapper().<JsonNode>valueToTree(document));
    }

    /**
     * The same of a document.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static Rerun read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        Only only = fields.word("only", WORDS, Only.ALL);
        List<String> cases = fields.list("cases", TextRules.lineItem(IdRule.MAX_LENGTH));
        List<String> branches = fields.list("branches", TextRules.lineItem(IdRule.MAX_LENGTH));
        boolean whole = fields.flag("whole", false);
        if (whole) {
            refuseParts(fields, cases);
        }
        problems.throwIfAny(WHAT);
        return new Rerun(only, cases, branches, whole);
    }

    /** Reports what chooses among the cells of a branch: the draws that it leaves out could be the ones that failed. */
    private static void refuseParts(FieldReader fields, List<String> cases) {
        if (fields.has("only")) {
            fields.problem(
                    "only", "`whole` asks every cell of a branch again, and `only` some: leave one of them out.");
        }
        if (!cases.isEmpty()) {
            fields.problem(
                    "cases", "`whole` asks every case again: leave `cases` out, or `whole`; `branches` may be named.");
        }
    }
}

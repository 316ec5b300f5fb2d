package dev.assay.store.cases;

import dev.assay.domain.label.LabelState;
import dev.assay.store.label.LabelledOutcomes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list of cases.
 *
 * @param text only whose id or prompts have it, in capitals or not; null: all
 * @param tag only with this tag; null: with any
 * @param answers only with such an answer in a campaign; null: whatever was answered
 * @param among only at these places; null: at any
 */
public record CaseFilter(
        @Nullable String text,
        @Nullable String tag,
        @Nullable Answers answers,
        @Nullable List<Integer> among) {

    public CaseFilter {
        among = among == null ? null : List.copyOf(among);
    }

    /** Whether it keeps every case. */
    public boolean keepsAll() {
        return text == null && tag == null && answers == null && among == null;
    }

    /**
     * Answers of a campaign; one has all that is asked for.
     *
     * @param branchIndex of this branch; null: of any
     * @param failedCheck a check of this type, or with this metric, failed; null: any
     * @param slowerThanMs it took longer, in milliseconds; null: any
     * @param flipped whether a scoring says otherwise of it than was said before; false: whatever is said
     * @param label what people say of it; null: whatever they say
     */
    public record Answers(
            String campaignId,
            @Nullable Integer branchIndex,
            @Nullable String failedCheck,
            @Nullable Long slowerThanMs,
            boolean flipped,
            @Nullable LabelState label) {}

    /** The condition on {@code suite_case k}, after others; its parameters are added. */
    String where(List<@Nullable Object> parameters) {
        StringBuilder where = new StringBuilder();
        if (text != null) {
            where.append("""
                 AND (position(lower(?) IN lower(k.case_id)) > 0
                      OR position(lower(?) IN lower(array_to_string(k.prompts, E'\\n'))) > 0
                      OR position(lower(?) IN lower(k.prompt_messages::text)) > 0)\
                """);
            parameters.addAll(List.of(text, text, text));
        }
        if (tag != null) {
            where.append(" AND ? = ANY (k.tags)");
            parameters.add(tag);
        }
        if (answers != null) {
            where.append(" AND k.case_index IN (SELECT o.case_index FROM outcome o WHERE o.campaign_id = ?");
            parameters.add(answers.campaignId());
            if (answers.branchIndex() != null) {
                where.append(" AND o.branch_index = ?");
                parameters.add(answers.branchIndex());
            }
            if (answers.failedCheck() != null) {
                where.append("""
                     AND EXISTS (SELECT 1 FROM jsonb_array_elements(o.checks) AS c
                                 WHERE c ->> 'status' = 'FAILED' AND ? IN (c ->> 'type', c ->> 'metric'))\
                    """);
                parameters.add(answers.failedCheck());
            }
            if (answers.slowerThanMs() != null) {
                where.append(" AND o.latency_ms > ?");
                parameters.add(answers.slowerThanMs());
            }
            if (answers.flipped()) {
                where.append(" AND o.passed_before <> o.passed");
            }
            if (answers.label() != null) {
                where.append(LabelledOutcomes.where(answers.label()));
                parameters.add(answers.campaignId());
            }
            where.append(")");
        }
        if (among != null) {
            where.append(" AND k.case_index = ANY (?::integer[])");
            parameters.add(among);
        }
        return where.toString();
    }
}

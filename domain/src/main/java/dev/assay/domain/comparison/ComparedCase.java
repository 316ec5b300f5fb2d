package dev.assay.domain.comparison;

import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.statistics.CaseCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case of one of the two that are compared.
 *
 * @param contentHash of all that the case says: the same id with another content is another case
 * @param errors what errors count as in its campaign
 * @param tags as its suite says them; they are no part of its content
 * @param group the group of related cases that it belongs to in its campaign; null: its campaign relates none
 */
public record ComparedCase(
        String caseId,
        String contentHash,
        CaseEvidence evidence,
        ErrorTreatment errors,
        CaseMeasures measures,
        List<String> tags,
        @Nullable String group) {

    public ComparedCase {
        tags = List.copyOf(tags);
    }

    /** A case without errors, whose tokens, cost and time were not measured. */
    public ComparedCase(String caseId, String contentHash, CaseCounts counts) {
        this(caseId, contentHash, CaseEvidence.of(counts), ErrorTreatment.FAIL, CaseMeasures.NONE, List.of(), null);
    }

    /** Its trials as points and tests count them. */
    public CaseCounts counts() {
        return evidence.counts(errors);
    }

    /** The same case with what its trials took. */
    public ComparedCase with(CaseMeasures taken) {
        return new ComparedCase(caseId, contentHash, evidence, errors, taken, tags, group);
    }

    /** The same case with tags. */
    public ComparedCase with(List<String> next) {
        return new ComparedCase(caseId, contentHash, evidence, errors, measures, next, group);
    }

    /** The same case among related ones. */
    public ComparedCase in(String next) {
        return new ComparedCase(caseId, contentHash, evidence, errors, measures, tags, next);
    }
}

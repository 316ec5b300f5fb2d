package dev.assay.domain.comparison;

import dev.assay.domain.statistics.CaseCounts;
import java.util.List;

/**
 * A case of one of the two that are compared.
 *
 * @param contentHash of all that the case says: the same id with another content is another case
 * @param counts its trials
 * @param measures what its trials took
 * @param tags as its suite says them; they are no part of its content
 */
public record ComparedCase(
        String caseId, String contentHash, CaseCounts counts, CaseMeasures measures, List<String> tags) {

    public ComparedCase {
        tags = List.copyOf(tags);
    }

    /** A case without tags. */
    public ComparedCase(String caseId, String contentHash, CaseCounts counts, CaseMeasures measures) {
        this(caseId, contentHash, counts, measures, List.of());
    }

    /** A case whose tokens, cost and time were not measured. */
    public ComparedCase(String caseId, String contentHash, CaseCounts counts) {
        this(caseId, contentHash, counts, CaseMeasures.NONE);
    }

    /** The same with trials that ended in an error as unknown; otherwise they are failures. */
    public ComparedCase withErrorsUnknown() {
        CaseCounts unknown = new CaseCounts(counts.passed(), counts.unknown() + measures.errors(), counts.planned());
        return new ComparedCase(caseId, contentHash, unknown, measures, tags);
    }
}

package dev.assay.domain.rendering;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CaseSummary;
import java.io.IOException;

/**
 * The trials of a campaign's cases, as their {@code result.json} has them. A campaign is larger than memory, so they are handed over
 * case by case, and again for each reading.
 */
@FunctionalInterface
public interface CaseTrials {

    /** Hands over the cases of a branch in the order of its summary. */
    void forEach(BranchSummary branch, Reader reader) throws IOException;

    /** Receives one case. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads a case.
         *
         * @param trials from the first to the last; {@link TrialResults#all} makes them
         */
        void read(CaseSummary one, ArrayNode trials) throws IOException;
    }
}

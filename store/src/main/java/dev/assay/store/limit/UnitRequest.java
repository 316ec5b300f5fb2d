package dev.assay.store.limit;

import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.OthersUse;
import dev.assay.domain.limit.UnitAsk;
import dev.assay.domain.limit.Units;
import java.util.List;

/**
 * What a worker says of a pool that has limits.
 *
 * @param requests what it would send next, in their turns, at most {@value UnitAsk#MOST}
 * @param isUrgent whether the first is of an evaluation
 * @param waiting calls that wait for units, those beyond {@code requests} too
 * @param number of its corrections, which grows with each time that it sends others
 * @param corrections of what it was charged before
 * @param others what answers have shown of others that use the key; what is told twice is charged once
 */
public record UnitRequest(
        List<Units> requests,
        boolean isUrgent,
        int waiting,
        long number,
        List<ChargeCorrection> corrections,
        List<OthersUse> others) {

    public UnitRequest {
        requests = List.copyOf(requests);
        corrections = List.copyOf(corrections);
        others = List.copyOf(others);
    }

    /** The same of a worker that saw nothing of others. */
    public UnitRequest(
            List<Units> requests, boolean isUrgent, int waiting, long number, List<ChargeCorrection> corrections) {
        this(requests, isUrgent, waiting, number, corrections, List.of());
    }
}

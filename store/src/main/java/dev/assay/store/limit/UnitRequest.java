package dev.assay.store.limit;

import dev.assay.domain.limit.ChargeCorrection;
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
 */
public record UnitRequest(
        List<Units> requests, boolean isUrgent, int waiting, long number, List<ChargeCorrection> corrections) {

    public UnitRequest {
        requests = List.copyOf(requests);
        corrections = List.copyOf(corrections);
    }
}

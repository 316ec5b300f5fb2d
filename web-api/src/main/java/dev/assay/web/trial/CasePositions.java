package dev.assay.web.trial;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * Cases by their places.
 *
 * @param positions from 0, ascending
 */
@Schema(name = "CasePositions")
record CasePositions(List<Integer> positions) {

    CasePositions {
        positions = List.copyOf(positions);
    }
}

package dev.assay.domain.suite;

import java.util.List;

/**
 * A named, immutable list of cases.
 *
 * @param cases in the order in which they are run and shown, at least one, ids unique
 */
public record Suite(String name, List<Case> cases) {

    public Suite {
        cases = List.copyOf(cases);
        if (cases.isEmpty()) {
            throw new IllegalArgumentException("Suite must have at least one case");
        }
    }
}

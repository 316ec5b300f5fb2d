package dev.assay.store.suite;

import dev.assay.domain.suite.Case;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Cases of a suite that are read in order: some are in memory, and they are asked for together. For one thread. */
public final class CaseWindow {

    private static final int AT_ONCE = 32;

    private final CaseRepository cases;
    private final String suiteId;
    private final Map<Integer, Case> known = new HashMap<>();

    public CaseWindow(CaseRepository cases, String suiteId) {
        this.cases = cases;
        this.suiteId = suiteId;
    }

    /** The case at an index that the suite has. */
    public Case at(int index) {
        if (!known.containsKey(index)) {
            known.clear();
            known.putAll(cases.find(
                    suiteId, IntStream.range(index, index + AT_ONCE).boxed().toList()));
        }
        return Objects.requireNonNull(known.get(index), "A suite has all its cases");
    }
}

package dev.assay.domain.stop;

import java.util.List;

/**
 * The rule for stopping a campaign, and its extensions, for which looks at its trials have to allow.
 *
 * @param rule the stop rule of the campaign
 * @param extensions by how many trials each extension made the campaign longer, in the order in which they came
 */
public record Stopping(StopRule rule, List<Integer> extensions) {

    /** Every cell is asked. */
    public static final Stopping NEVER = new Stopping(StopRule.NONE, List.of());

    public Stopping {
        extensions = List.copyOf(extensions);
    }

    /** The trials that were planned at first, out of the current {@code trials}. */
    int planned(int trials) {
        return trials - extensions.stream().mapToInt(Integer::intValue).sum();
    }
}

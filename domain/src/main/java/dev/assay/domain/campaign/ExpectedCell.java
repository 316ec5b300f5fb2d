package dev.assay.domain.campaign;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a campaign's file says about the time of its cells, before any was measured. */
public final class ExpectedCell {

    /** What a cell takes whose answer takes no time. */
    private static final double LEAST_SECONDS = 0.01;

    private ExpectedCell() {}

    /**
     * The time of a cell of the slowest branch, in seconds.
     *
     * @return empty where a model or a program answers, or grades answers that are on record: nothing is known then
     */
    public static OptionalDouble seconds(CampaignDefinition definition) {
        if (definition.isAnswered()) {
            return definition.graders().isEmpty() ? OptionalDouble.of(LEAST_SECONDS) : OptionalDouble.empty();
        }
        List<Optional<Duration>> delays = definition.branches().stream()
                .map(branch -> branch.agent().writtenDelay())
                .toList();
        return delays.stream().allMatch(Optional::isPresent)
                ? delays.stream()
                        .flatMap(Optional::stream)
                        .mapToDouble(delay -> delay.toNanos() / 1e9 + LEAST_SECONDS)
                        .max()
                : OptionalDouble.empty();
    }
}

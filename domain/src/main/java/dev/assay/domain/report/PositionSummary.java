package dev.assay.domain.report;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.judging.PositionBias;
import java.util.Objects;

/**
 * The rate at which judges named the response that they saw first. The names are those of its JSON.
 *
 * @param first share of readings that named the first place, 0–1
 * @param low lower end of its 95 % interval
 * @param expected the share that judges without a bias have, where every order was shown
 * @param oneOrder whether responses were shown to a judge in one order only: the effects of place and branch are then mixed
 */
public record PositionSummary(double first, double low, double high, double expected, int readings, boolean oneOrder) {

    static PositionSummary of(PositionBias bias, boolean oneOrder) {
        Interval interval = Objects.requireNonNull(bias.interval());
        return new PositionSummary(
                Objects.requireNonNull(bias.value()),
                interval.low(),
                interval.high(),
                Objects.requireNonNull(bias.expected()),
                bias.of(),
                oneOrder);
    }
}

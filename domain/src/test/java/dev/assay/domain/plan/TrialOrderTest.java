package dev.assay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialOrderTest {

    private static List<Integer> drawn(long seed, int cases) {
        DrawnOrder order = new DrawnOrder(seed, cases);
        return IntStream.range(0, cases).map(order::ordinal).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 28, 1_000, 65_537, 1_000_000})
    void shouldHaveEachTrialAtOnePositionOfItsRound(int cases) {
        DrawnOrder order = new DrawnOrder(42L * cases, cases);
        BitSet seen = new BitSet();
        int size = 3 * cases;
        for (int position = 0; position < size; position++) {
            int ordinal = order.ordinal(position);
            seen.set(ordinal);
            if (ordinal / cases != position / cases || order.position(ordinal) != position) {
                throw new AssertionError("Position " + position + " has trial number " + ordinal);
            }
        }
        assertThat(seen.cardinality()).isEqualTo(size);
        assertThat(seen.length()).isEqualTo(size);
    }

    @Test
    void shouldDrawBijectionsOfEverySizeUpToTwoThousand() {
        for (int cases = 1; cases <= 2_000; cases++) {
            assertThat(drawn(-cases, cases).stream().distinct().count()).isEqualTo(cases);
        }
    }

    /** Seeds are stored: other numbers here would ask campaigns that run in another order than they began with. */
    @Test
    void shouldDrawTheSameForEver() {
        assertThat(drawn(0, 10)).containsExactly(5, 6, 1, 4, 8, 3, 2, 9, 0, 7);
        assertThat(drawn(-1, 10)).containsExactly(5, 0, 1, 9, 2, 6, 3, 4, 7, 8);
        assertThat(drawn(1_234_567_890_123L, 28))
                .containsExactly(
                        7, 27, 12, 1, 25, 11, 4, 19, 9, 21, 22, 18, 14, 20, 26, 13, 6, 2, 17, 24, 15, 3, 8, 16, 5, 23,
                        10, 0);
        assertThat(new DrawnOrder(Long.MIN_VALUE, 1_000_000).ordinal(999_999)).isEqualTo(246_957);
    }

    @Test
    void shouldContinueTheOrderWhenTrialsAreAdded() {
        DrawnOrder order = new DrawnOrder(7, 28);

        assertThat(IntStream.range(0, 28 * 50).map(order::ordinal).toArray())
                .containsExactly(IntStream.range(0, 28 * 50)
                        .map(position -> position / 28 * 28 + order.ordinal(position % 28))
                        .toArray());
        assertThat(new DrawnOrder(7, 28)).isEqualTo(order).hasSameHashCodeAs(order);
        assertThat(new DrawnOrder(8, 28)).isNotEqualTo(order);
    }

    /** Chi-square of the 120 orders of five cases: 119 degrees of freedom, beyond 180 in one of 4,000 fair draws. */
    @Test
    void shouldDrawEveryOrderEquallyOften() {
        int seeds = 120_000;
        Map<List<Integer>, Integer> counts = new HashMap<>();
        for (int seed = 0; seed < seeds; seed++) {
            counts.merge(drawn(seed, 5), 1, Integer::sum);
        }
        double expected = seeds / 120.0;
        double chiSquare = counts.values().stream()
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();

        assertThat(counts).hasSize(120);
        assertThat(chiSquare).isBetween(60.0, 180.0);
    }

    @Test
    void shouldTranslateRanges() {
        TrialOrder order = new DrawnOrder(3, 10);
        List<OrdinalRange> positions = List.of(new OrdinalRange(4, 7), new OrdinalRange(12, 20));

        assertThat(order.ordinals(positions)).hasSize(11);
        assertThat(order.positions(order.ordinals(positions))).isEqualTo(positions);
        TrialOrder given = new GivenOrder();
        assertThat(given.ordinals(positions)).containsExactly(4, 5, 6, 12, 13, 14, 15, 16, 17, 18, 19);
        assertThat(given.positions(given.ordinals(positions))).isEqualTo(positions);
    }

    @Test
    void shouldRefuseAnOrderOfNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DrawnOrder(1, 0));
    }
}

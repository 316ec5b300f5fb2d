package dev.assay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class OrdinalRangesTest {

    @Test
    void shouldMergeRangesWhenTheyOverlapOrTouch() {
        assertThat(OrdinalRanges.normalize(List.of(range(5, 7), range(0, 2), range(2, 4), range(1, 3), range(9, 10))))
                .containsExactly(range(0, 4), range(5, 7), range(9, 10));
    }

    @Test
    void shouldCutAcrossRangesWhenTakingPieces() {
        assertThat(OrdinalRanges.pieces(List.of(range(0, 5), range(10, 13)), 3))
                .containsExactly(List.of(range(0, 3)), List.of(range(3, 5), range(10, 11)), List.of(range(11, 13)));
        assertThat(OrdinalRanges.pieces(List.of(), 3)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> OrdinalRanges.pieces(List.of(), 0));
    }

    @Test
    void shouldDealBlocksToEachHandInTurn() {
        assertThat(OrdinalRanges.dealt(List.of(range(0, 5), range(10, 16)), 3, 2))
                .containsExactly(
                        List.of(range(0, 2), range(11, 13)),
                        List.of(range(2, 4), range(13, 15)),
                        List.of(range(4, 5), range(10, 11), range(15, 16)));
        assertThat(OrdinalRanges.dealt(List.of(range(0, 3)), 5, 2))
                .containsExactly(List.of(range(0, 2)), List.of(range(2, 3)));
        assertThat(OrdinalRanges.dealt(List.of(), 2, 1)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> OrdinalRanges.dealt(List.of(), 0, 1));
    }

    @Test
    void shouldLeaveGapsWhenSubtracting() {
        assertThat(OrdinalRanges.subtract(List.of(range(0, 10), range(20, 30)), List.of(range(3, 4), range(8, 22))))
                .containsExactly(range(0, 3), range(4, 8), range(22, 30));
        assertThat(OrdinalRanges.subtract(List.of(range(0, 3)), List.of(range(0, 3))))
                .isEmpty();
    }

    @Test
    void shouldJoinNeighboursWhenGivenSortedNumbers() {
        assertThat(OrdinalRanges.ofSorted(0, 1, 1, 2, 5, 7, 8)).containsExactly(range(0, 3), range(5, 6), range(7, 9));
        assertThat(OrdinalRanges.ofSorted()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OrdinalRanges.ofSorted(2, 1))
                .withMessageContaining("1 comes after 2");
    }

    @Test
    void shouldHandleTheLargestNumbersWhenCutting() {
        List<OrdinalRange> all = List.of(range(0, Integer.MAX_VALUE));

        assertThat(OrdinalRanges.size(all)).isEqualTo(Integer.MAX_VALUE);
        assertThat(OrdinalRanges.pieces(all, Integer.MAX_VALUE)).containsExactly(all);
        assertThat(OrdinalRanges.pieces(all, Integer.MAX_VALUE - 1))
                .containsExactly(
                        List.of(range(0, Integer.MAX_VALUE - 1)),
                        List.of(range(Integer.MAX_VALUE - 1, Integer.MAX_VALUE)));
    }

    @RepeatedTest(200)
    void shouldAgreeWithSetsWhenRangesAreRandom(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<OrdinalRange> one = ranges(random);
        List<OrdinalRange> other = ranges(random);
        int trials = 1 + random.nextInt(12);

        TreeSet<Integer> union = set(one);
        union.addAll(set(other));
        TreeSet<Integer> difference = set(one);
        difference.removeAll(set(other));

        assertNormal(OrdinalRanges.normalize(one), set(one));
        assertNormal(OrdinalRanges.union(one, other), union);
        assertNormal(OrdinalRanges.subtract(one, other), difference);
        assertThat(OrdinalRanges.ofSorted(set(one).stream().mapToInt(i -> i).toArray()))
                .isEqualTo(OrdinalRanges.normalize(one));
        List<List<OrdinalRange>> pieces = OrdinalRanges.pieces(one, trials);
        assertThat(set(pieces.stream().flatMap(List::stream).toList())).isEqualTo(set(one));
        for (int i = 0; i < pieces.size(); i++) {
            int size = OrdinalRanges.size(pieces.get(i));
            assertThat(size).isBetween(i < pieces.size() - 1 ? trials : 1, trials);
        }
    }

    private static void assertNormal(List<OrdinalRange> ranges, TreeSet<Integer> numbers) {
        assertThat(OrdinalRanges.ordinals(ranges).boxed()).containsExactlyElementsOf(numbers);
        assertThat(OrdinalRanges.size(ranges)).isEqualTo(numbers.size());
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i).from()).isGreaterThan(ranges.get(i - 1).to());
        }
    }

    private static List<OrdinalRange> ranges(Random random) {
        List<OrdinalRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            int from = random.nextInt(50);
            ranges.add(range(from, from + 1 + random.nextInt(10)));
        }
        return ranges;
    }

    private static TreeSet<Integer> set(List<OrdinalRange> ranges) {
        TreeSet<Integer> numbers = new TreeSet<>();
        ranges.forEach(range -> {
            for (int i = range.from(); i < range.to(); i++) {
                numbers.add(i);
            }
        });
        return numbers;
    }

    private static OrdinalRange range(int from, int to) {
        return new OrdinalRange(from, to);
    }
}

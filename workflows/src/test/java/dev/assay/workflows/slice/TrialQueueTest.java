package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TrialQueueTest {

    private static OrdinalRange range(int from, int to) {
        return new OrdinalRange(from, to);
    }

    @Test
    void shouldGiveTrialsInAscendingOrderWhenAskedForSome() {
        TrialQueue queue = new TrialQueue(List.of(range(3, 6), range(10, 20)));

        assertThat(queue.due(0)).isEqualTo(13);
        assertThat(queue.take(2, 0)).containsExactly(range(3, 5));
        assertThat(queue.take(3, 0)).containsExactly(range(5, 6), range(10, 12));
        assertThat(queue.take(100, 0)).containsExactly(range(12, 20));
        assertThat(queue.take(100, 0)).isEmpty();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldMergeRangesWhenTheyTouch() {
        TrialQueue queue = new TrialQueue(List.of(range(5, 7), range(0, 5), range(7, 9)));

        assertThat(queue.take(9, 0)).containsExactly(range(0, 9));
    }

    @Test
    void shouldHoldATrialBackWhenItsTimeHasNotCome() {
        TrialQueue queue = new TrialQueue(List.of(range(0, 2)));
        queue.take(2, 1_000);
        queue.handBack(1, 2_000);
        queue.handBack(0, 1_500);

        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.due(1_499)).isZero();
        assertThat(queue.nextDueMs()).isEqualTo(OptionalLong.of(1_500));
        assertThat(queue.take(5, 1_500)).containsExactly(range(0, 1));
        assertThat(queue.nextDueMs()).isEqualTo(OptionalLong.of(2_000));
        assertThat(queue.take(5, 2_000)).containsExactly(range(1, 2));
        assertThat(queue.nextDueMs()).isEmpty();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldPackHandedBackTrialsWithOpenOnesWhenTheyAreDue() {
        TrialQueue queue = new TrialQueue(List.of(range(0, 10)));
        queue.take(6, 0);
        queue.handBack(5, 100);
        queue.handBack(2, 100);

        assertThat(queue.take(4, 100)).containsExactly(range(2, 3), range(5, 8));
    }

    @Test
    void shouldRefuseATrialWhenItIsInTheQueueAlready() {
        TrialQueue queue = new TrialQueue(List.of(range(0, 5)));
        queue.handBack(4, 0);

        assertThatThrownBy(() -> queue.due(0)).hasMessage("Trials 4 to 5 are in the queue already");
        assertThatThrownBy(() -> new TrialQueue(List.of(range(3, 5), range(0, 4))))
                .hasMessage("Trials 0 to 4 are in the queue already");
    }

    @Test
    void shouldGiveTheSameTrialsAsAPlainSetWhenUsedAtRandom() {
        for (int seed = 0; seed < 200; seed++) {
            compareWithSet(new Random(seed));
        }
    }

    private static void compareWithSet(Random random) {
        TrialQueue queue = new TrialQueue(List.of(range(0, 40), range(50, 60)));
        TreeMap<Integer, Long> model = new TreeMap<>();
        OrdinalRanges.ordinals(List.of(range(0, 40), range(50, 60))).forEach(trial -> model.put(trial, 0L));
        TreeSet<Integer> out = new TreeSet<>();
        for (long now = 0; now < 60; now++) {
            long time = now;
            int most = random.nextInt(6);
            TreeSet<Integer> expected = new TreeSet<>(model.keySet().stream()
                    .filter(trial -> model.get(trial) <= time)
                    .limit(most)
                    .toList());
            assertThat(queue.take(most, now)).isEqualTo(OrdinalRanges.of(expected));
            model.keySet().removeAll(expected);
            out.addAll(expected);
            if (!out.isEmpty() && random.nextBoolean()) {
                int trial = out.pollFirst();
                long due = now + random.nextInt(10);
                model.put(trial, due);
                queue.handBack(trial, due);
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
        }
    }
}

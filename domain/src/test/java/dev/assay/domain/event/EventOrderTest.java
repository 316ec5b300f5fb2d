package dev.assay.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.event.EventOrder.Told;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventOrderTest {

    private static final Instant NOW = Instant.EPOCH;
    private static final AgentEvent END = new AgentEvent.ParallelLoopEnd("s", null, null, Usage.NONE, 0, NOW);

    private static AgentEvent start(String loop) {
        return new AgentEvent.AgentStart("s", loop, "openai", "m", NOW);
    }

    private static AgentEvent step(String loop) {
        return new AgentEvent.MessageStart("s", loop, Role.ASSISTANT, NOW);
    }

    private static AgentEvent end(String loop) {
        return new AgentEvent.AgentEnd("s", loop, OutcomeStatus.COMPLETED, List.of(), Usage.of(3, 4), null, null, NOW);
    }

    private static List<AgentEvent> told(List<AgentEvent> happened) {
        EventOrder order = new EventOrder(List.of());
        return happened.stream().flatMap(event -> order.next(event).stream()).toList();
    }

    @Test
    void shouldTellBeginAndEndOnceWhenALoopIsBegunAgain() {
        assertThat(told(List.of(start("a"), step("a"), start("a"), step("a"), end("a"), end("a"), step("a"))))
                .containsExactly(start("a"), step("a"), step("a"), end("a"));
    }

    @Test
    void shouldEndAnOpenLoopBeforeTheEvaluation() {
        List<AgentEvent> told = told(List.of(start("a"), start("b"), end("b"), END, end("a"), END));

        assertThat(told)
                .extracting(AgentEvent::name)
                .containsExactly("AgentStart", "AgentStart", "AgentEnd", "AgentEnd", "ParallelLoopEnd");
        assertThat(((AgentEvent.AgentEnd) told.get(3)).status()).isEqualTo(OutcomeStatus.CANCELLED);
        assertThat(((AgentEvent.AgentEnd) told.get(3)).loopId()).isEqualTo("a");
    }

    @Test
    void shouldGoOnFromWhatOthersTold() {
        EventOrder order = new EventOrder(
                List.of(new Told("a", "AgentStart"), new Told("b", "AgentStart"), new Told("b", "AgentEnd")));

        assertThat(order.next(start("a"))).isEmpty();
        assertThat(order.next(step("a"))).containsExactly(step("a"));
        assertThat(order.next(step("b"))).isEmpty();
    }

    static List<Integer> seeds() {
        return IntStream.range(0, 200).boxed().toList();
    }

    /** Attempts of several workers at several loops, each cut short anywhere, in any order; the end comes anywhere. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellEachLoopFromItsStartToItsEndAndTheEvaluationLastWhateverHappens(int seed) {
        Random random = new Random(seed);
        int loops = 1 + random.nextInt(5);
        List<List<AgentEvent>> attempts = new ArrayList<>();
        for (int i = 0; i < loops * 3; i++) {
            String loop = "s.b." + random.nextInt(loops);
            List<AgentEvent> attempt = new ArrayList<>(List.of(start(loop)));
            IntStream.range(0, random.nextInt(4)).forEach(_ -> attempt.add(step(loop)));
            attempt.add(end(loop));
            // A crash, a failure or a cancel ends it there.
            attempts.add(new ArrayList<>(attempt.subList(0, random.nextInt(attempt.size() + 1))));
        }
        attempts.add(new ArrayList<>(List.of(END, END)));
        List<AgentEvent> happened = new ArrayList<>();
        while (!attempts.isEmpty()) {
            List<AgentEvent> attempt = attempts.get(random.nextInt(attempts.size()));
            if (attempt.isEmpty()) {
                attempts.remove(attempt);
            } else {
                happened.add(attempt.removeFirst());
            }
        }

        List<AgentEvent> told = told(happened);

        assertThat(told.getLast()).isEqualTo(END);
        assertThat(told).containsOnlyOnce(END);
        told.stream()
                .map(EventOrder::loopId)
                .filter(loop -> loop != null)
                .distinct()
                .forEach(loop -> {
                    List<String> names = told.stream()
                            .filter(event -> loop.equals(EventOrder.loopId(event)))
                            .map(AgentEvent::name)
                            .toList();
                    assertThat(names).startsWith("AgentStart").endsWith("AgentEnd");
                    assertThat(names).containsOnlyOnce("AgentStart", "AgentEnd");
                });
    }
}

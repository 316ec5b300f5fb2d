package dev.assay.domain.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.Workers;
import dev.assay.domain.health.LiveWorkers.LiveWorker;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LiveWorkersTest {

    private static LiveWorker worker(int permits, WorkerLoad... load) {
        return new LiveWorker(
                List.of("queue-openai"),
                List.of(new ProviderInfo("openai", true, "OPENAI_API_KEY", permits, 4096, Map.of())),
                ToolPolicy.NONE,
                List.of(load),
                null,
                Duration.ofSeconds(4),
                true);
    }

    @Test
    void shouldTakeTheBoundOfTheStrictestWorkerWhenTheirFilesDiffer() {
        LiveWorkers workers = new LiveWorkers(List.of(
                worker(50, new WorkerLoad("own", "openai", 2, 3, 1)),
                worker(20, new WorkerLoad("other", "openai", 4, 5, 0)),
                worker(30)));

        assertThat(workers.cells("own", 9, 7))
                .isEqualTo(new HealthFacts.Cells(9, 2, 7, List.of(new Pool("openai", 3, 7, 20)), 1));
    }

    @Test
    void shouldNameTheProvidersWhoseQueueNoWorkerPolls() {
        assertThat(new LiveWorkers(List.of(worker(1)))
                        .reaching(List.of("mistral", "openai"), name -> "queue-" + name, true))
                .isEqualTo(new Workers(1, List.of("mistral")));
    }

    @Test
    void shouldBeUnheardWhenAllAreLateToRenewTheirLeases() {
        LiveWorker late =
                new LiveWorker(List.of(), List.of(), ToolPolicy.NONE, List.of(), null, Duration.ofSeconds(11), false);

        assertThat(areUnheard(late, late)).isTrue();
        assertThat(areUnheard(late, worker(1))).isFalse();
        assertThat(areUnheard()).as("without any").isFalse();
    }

    @Test
    void shouldCountThoseThatKnowNoBatchesWhereCellsMayGoOutInThem() {
        LiveWorker earlier =
                new LiveWorker(List.of(), List.of(), ToolPolicy.NONE, List.of(), null, Duration.ZERO, false);
        LiveWorkers workers = new LiveWorkers(List.of(worker(1), earlier));

        assertThat(workers.reaching(List.of(), name -> name, true).withoutBatches())
                .isEqualTo(1);
        assertThat(workers.reaching(List.of(), name -> name, false).withoutBatches())
                .isZero();
    }

    private static boolean areUnheard(LiveWorker... workers) {
        return new LiveWorkers(List.of(workers))
                .reaching(List.of(), name -> name, true)
                .areUnheard();
    }

    @Test
    void shouldSayWhatPostgresRefusesWhenOneOfThemSaysSo() {
        StoreRefusal full = new StoreRefusal(false, "No space left on device");
        LiveWorker refused =
                new LiveWorker(List.of(), List.of(), ToolPolicy.NONE, List.of(), full, Duration.ZERO, true);

        assertThat(new LiveWorkers(List.of(worker(1), refused)).refusal()).isEqualTo(full);
        assertThat(new LiveWorkers(List.of(worker(1))).refusal()).isNull();
    }
}

package dev.assay.store.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.worker.WorkerRepository;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SeriesRepositoryTest {

    private StoreFixture store;
    private SeriesRepository series;
    private WorkerRepository workers;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        series = store.get(SeriesRepository.class);
        workers = store.get(WorkerRepository.class);
        Campaigns.running(store, "a");
        Campaigns.running(store, "b");
        for (String id : List.of("one", "two", "gone")) {
            Campaigns.worker(workers, id);
        }
        // Ages in which spans are an hour long: no test sees two.
        store.execute("UPDATE campaign SET created_at = now() - interval '6 days'");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private void holds(String worker, WorkerLoad... load) {
        workers.report(worker, List.of(load), Map.of(), List.of());
    }

    @Test
    void shouldCountTheCallsOfAllLiveWorkersWhoeverCounts() {
        holds("one", new WorkerLoad("a", "openai", 3, 5, 0), new WorkerLoad("a", "anthropic", 1, 0, 0));
        holds("two", new WorkerLoad("a", "openai", 2, 0, 4), new WorkerLoad("b", "openai", 7, 0, 0));
        holds("gone", new WorkerLoad("a", "openai", 4, 0, 0));
        workers.retire("gone");

        series.countCalls("one", List.of("a", "unknown"));
        holds("one");
        series.countCalls("two", List.of("a", "b"));

        assertThat(series.find("a")).extracting(SeriesBucket::inFlight).containsExactly(4.0);
        assertThat(series.find("b")).extracting(SeriesBucket::inFlight).containsExactly(7.0);
        assertThat(series.find("b")).extracting(SeriesBucket::cells).containsExactly(0L);
    }

    /** What workers say is some seconds old: a permit may have moved from one to the other since. */
    @Test
    void shouldNeverCountMoreThanTheLimit() {
        holds("one", new WorkerLoad("a", "openai", 9, 0, 0));
        holds("two", new WorkerLoad("a", "openai", 9, 0, 0));

        series.countCalls("one", List.of("a"));

        assertThat(series.find("a")).extracting(SeriesBucket::inFlight).containsExactly(10.0);
    }

    @Test
    void shouldNotKnowTheCallsOfASpanInWhichNobodyCounted() {
        store.execute("""
            INSERT INTO series (campaign_id, shard, starts_at, width_s, cells, passed, failed, busy_ms)
            VALUES ('a', 'w', now(), 1, 5, 5, 0, 450000)\
            """);

        assertThat(series.find("a")).extracting(SeriesBucket::inFlight).containsExactly((Double) null);
    }
}

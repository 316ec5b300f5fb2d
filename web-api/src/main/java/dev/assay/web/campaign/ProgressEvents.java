package dev.assay.web.campaign;

import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The progress of a campaign as a stream of events, one a second, until the campaign has ended. */
@Singleton
final class ProgressEvents {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final String NAME = "progress";

    private final CampaignReads reads;
    private final Scheduler blocking;

    ProgressEvents(CampaignReads reads, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.blocking = Schedulers.fromExecutorService(blocking);
    }

    /** The events of a campaign that exists. The last one says how it ended. */
    Publisher<Event<ProgressView>> of(String campaignId) {
        return Flux.interval(Duration.ZERO, INTERVAL)
                .onBackpressureDrop()
                .concatMap(
                        number -> Mono.fromCallable(() -> reads.progress(campaignId))
                                .subscribeOn(blocking)
                                .map(view -> Event.of(view).name(NAME).id(number.toString())),
                        1)
                .takeUntil(event -> event.getData().state().ended());
    }
}

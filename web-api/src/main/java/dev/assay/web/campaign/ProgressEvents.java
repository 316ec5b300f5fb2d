package dev.assay.web.campaign;

import dev.assay.domain.json.Json;
import dev.assay.web.stream.SharedReading;
import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;

/**
 * The progress of a campaign as a stream of events, one a second, until the campaign has ended. A slow client gets fewer: what is
 * newer replaces what it has not taken.
 */
@Singleton
final class ProgressEvents {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final String NAME = "progress";

    private final CampaignQueries reads;
    private final SharedReading<Seen> seen;

    ProgressEvents(CampaignQueries reads, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.seen = new SharedReading<>(INTERVAL, blocking, Seen::isLast);
    }

    /** The progress as JSON, written once for all who watch. */
    private record Seen(String json, boolean isLast) {}

    /** The events of a campaign that exists. The last one says how it ended. */
    Publisher<Event<String>> of(String campaignId) {
        return seen.of(campaignId, id -> () -> look(id))
                .index((number, progress) ->
                        Event.of(progress.json()).name(NAME).id(Long.toString(number)));
    }

    private Seen look(String campaignId) {
        ProgressView view = reads.progress(campaignId);
        return new Seen(Json.write(view), view.state().ended());
    }
}

package dev.assay.web.campaign;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.store.campaign.CampaignMarks;
import dev.assay.web.matrix.HeldMatrices;
import dev.assay.web.matrix.MatrixReading;
import dev.assay.web.stream.ChangeMarks;
import dev.assay.web.stream.SharedReading;
import dev.assay.web.stream.SleepingLook;
import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * The progress of a campaign as a stream of events until it has ended: within a second of what is recorded, and every 15 s. On
 * request the events hold the changes of its matrix. A slow client gets fewer: a newer event replaces one that it has not taken.
 */
@Singleton
final class ProgressEvents {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Where nothing is recorded. What is said of such a campaign changes with the time, and a client that is gone is noticed. */
    static final Duration LONGEST = Duration.ofSeconds(15);

    private static final String NAME = "progress";
    private static final String MATRIX = "matrix";

    /** More bytes of changes than this are left out: the client asks for them by itself. */
    private static final int MOST_BYTES = 64 * 1024;

    private final CampaignQueries reads;
    private final HeldMatrices matrices;
    private final ChangeMarks marks;
    private final AtomicLong numbers = new AtomicLong();
    private final SharedReading<Seen> seen;
    private final SharedReading<Seen> seenWithMatrix;

    ProgressEvents(
            CampaignQueries reads,
            HeldMatrices matrices,
            CampaignMarks marks,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.marks = new ChangeMarks(marks, INTERVAL.dividedBy(2));
        this.reads = reads;
        this.matrices = matrices;
        this.seen = new SharedReading<>(INTERVAL, blocking, Seen::isLast);
        this.seenWithMatrix = new SharedReading<>(INTERVAL, blocking, Seen::isLast);
    }

    /**
     * The result of one look, as JSON that is written once for all watchers.
     *
     * @param number of the look
     * @param matrix the step of the matrix; null: not asked for, or nothing changed
     */
    private record Seen(
            long number, String progress, @Nullable String matrix, boolean isLast) {}

    /**
     * A step of the matrix.
     *
     * @param version after the step
     * @param since the version before it; null: this is the first look
     * @param changes cells that changed, in base64, as {@code /matrix} answers them; null: the client asks for them
     */
    private record Step(
            String version,
            @Nullable String since,
            @Nullable String changes) {}

    /**
     * The events of a campaign that exists. The last one says how it ended.
     *
     * @throws AssayException INVALID_INPUT when the matrix is asked for and the campaign is too large for one
     */
    Publisher<Event<String>> of(String campaignId, boolean withMatrix) {
        if (withMatrix) {
            // Now, while the answer can still be an error.
            var _ = matrices.read(campaignId, null);
        }
        Flux<Seen> looks = withMatrix
                ? seenWithMatrix.of(campaignId, id -> sleeping(id, new MatrixLooks(id)))
                : seen.of(campaignId, id -> sleeping(id, () -> look(id, null)));
        return looks.distinctUntilChanged(Seen::number)
                .concatMapIterable(ProgressEvents::events, 1)
                .index((number, event) -> event.id(Long.toString(number)));
    }

    private Supplier<Seen> sleeping(String campaignId, Supplier<Seen> look) {
        return new SleepingLook<>(() -> marks.of(campaignId), look, seen -> !seen.isLast(), LONGEST);
    }

    private static List<Event<String>> events(Seen seen) {
        List<Event<String>> events = new ArrayList<>();
        if (seen.matrix() != null) {
            events.add(Event.of(seen.matrix()).name(MATRIX));
        }
        events.add(Event.of(seen.progress()).name(NAME));
        return events;
    }

    private Seen look(String campaignId, @Nullable String matrix) {
        ProgressView view = reads.progress(campaignId);
        return new Seen(
                numbers.incrementAndGet(),
                Json.write(view),
                matrix,
                view.state().ended());
    }

    /** Looks that remember which version of the matrix the one before saw. */
    private final class MatrixLooks implements Supplier<Seen> {

        private final String campaignId;
        private @Nullable String version;

        MatrixLooks(String campaignId) {
            this.campaignId = campaignId;
        }

        @Override
        public Seen get() {
            // Progress first: when it says that the campaign has ended, the matrix holds all that was recorded.
            Seen progress = look(campaignId, null);
            return new Seen(progress.number(), progress.progress(), step(), progress.isLast());
        }

        private @Nullable String step() {
            String before = version;
            MatrixReading reading = matrices.read(campaignId, before);
            version = reading.version();
            if (reading.version().equals(before)) {
                return null;
            }
            boolean whole = !reading.isChanges() || reading.body().length > MOST_BYTES;
            return Json.write(new Step(
                    reading.version(),
                    before,
                    whole ? null : Base64.getEncoder().encodeToString(reading.body())));
        }
    }
}

package dev.assay.activities.delivery;

import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.campaign.DeliveredSlots;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.delivery.BatchCallException;
import dev.assay.activities.provider.delivery.BatchStatus;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.delivery.DeliveredFile;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.delivery.DeliveredResults;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.ItemEnd;
import dev.assay.domain.delivery.ItemEnd.CellEnd;
import dev.assay.domain.delivery.ItemEnd.Charge;
import dev.assay.domain.delivery.ItemEnd.Counted;
import dev.assay.domain.delivery.ItemEnd.Standing;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Price;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.delivery.ProviderBatch.Problem;
import dev.assay.store.journal.JournalEntry;
import dev.assay.store.journal.JournalEntry.EndItem;
import dev.assay.store.journal.JournalEntry.EndItem.AfterItem;
import dev.assay.store.journal.JournalEntry.EndItem.OutItem;
import dev.assay.store.journal.JournalEntry.EndItem.Settled;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the results of a batch that has ended, as a stream, and records what each of its requests came to. */
@Singleton
public class Collecting {

    /** Why the cells of a batch that was never handed over come back. */
    static final String GIVEN_UP = "It was given up before it was handed over.";

    /** The provider's word for a batch that it may take later. */
    private static final String TOKEN_LIMIT = "token_limit_exceeded";

    private static final Logger LOG = LoggerFactory.getLogger(Collecting.class);

    /** Characters of the lines that are recorded together, at most, but for the last of them. */
    private static final long MOST_HELD = 8 << 20;

    /** Failed readings after which what is not there is missing. */
    private static final int MOST_TRIES = 10;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private final DeliveredCells cells;
    private final BatchRepository batches;
    private final RunJournal journal;
    private final ProviderCatalog catalog;
    private final BatchKeys keys;

    Collecting(
            DeliveredCells cells,
            BatchRepository batches,
            RunJournal journal,
            ProviderCatalog catalog,
            BatchKeys keys) {
        this.keys = keys;
        this.cells = cells;
        this.batches = batches;
        this.journal = journal;
        this.catalog = catalog;
    }

    /** What a reading came to. */
    enum Reading {
        /** Every line is recorded. */
        WHOLE,
        /** A file broke off: it is to be read again. */
        AGAIN,
        /** The files are somebody else's. */
        FOREIGN
    }

    /** The pause before results are read again, after {@code tries} failed readings. */
    static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /**
     * Reads the results once and records them.
     *
     * @throws BatchCallException when they cannot be read now
     */
    Reading collect(StoredCampaign campaign, ProviderBatch batch, BatchWire wire)
            throws BatchCallException, InterruptedException {
        BatchStatus status = wire.status(Objects.requireNonNull(batch.provided().providerId()));
        Lines read = new Lines(campaign, batch);
        boolean isWhole;
        try {
            isWhole = wire.results(status, read);
        } catch (Stopped e) {
            throw e.interrupt;
        }
        read.flush();
        if (read.results.isForeign()) {
            batches.foreign(
                    batch.id(),
                    read.results.strangers(),
                    new Problem(
                            "BATCH_UNCERTAIN",
                            "The results of " + batch.provided().providerId() + " are those of another batch."));
            return Reading.FOREIGN;
        }
        batches.counted(batch.id(), read.results.duplicates(), read.results.strangers());
        if (!isWhole && !isLastTry(batch)) {
            batches.unread(batch.id(), new Problem("BATCH_RESULTS_CUT", "The results broke off; they are read again."));
            return Reading.AGAIN;
        }
        endReading(campaign, batch);
        return Reading.WHOLE;
    }

    /** Whether results that cannot be read whole now are not read again. */
    static boolean isLastTry(ProviderBatch batch) {
        return batch.counts().tries() + 1 >= MOST_TRIES;
    }

    /** Ends the batch: what no line has ended is missing. */
    void endReading(StoredCampaign campaign, ProviderBatch batch) throws InterruptedException {
        endRest(campaign, batch);
        var _ = batches.finished(batch.id(), BatchState.ENDED, BatchState.COLLECTED, null);
    }

    /** Ends the requests that no line has ended: by the state of their batch. */
    void endRest(StoredCampaign campaign, ProviderBatch batch) throws InterruptedException {
        List<OutItem> rest = batches.out(batch.id(), BatchLines.AT_ONCE);
        while (!rest.isEmpty()) {
            List<Ended> ended = new ArrayList<>();
            for (OutItem item : rest) {
                ended.add(new Ended(item, without(batch, standing(campaign, batch, item)), null));
            }
            record(campaign, batch, ended);
            rest = batches.out(batch.id(), BatchLines.AT_ONCE);
        }
    }

    private static ItemEnd without(ProviderBatch batch, Standing standing) {
        if (batch.state() != BatchState.REFUSED) {
            return ItemEnd.missing(standing);
        }
        Problem problem = batch.error();
        if (problem != null && ErrorCode.CONTEXT_TOO_LONG.name().equals(problem.code())) {
            return ItemEnd.tooLarge(problem.message());
        }
        return problem == null || problem.code() == null || problem.code().equals(TOKEN_LIMIT)
                ? ItemEnd.notSent(standing)
                : ItemEnd.refused(problem.message(), standing);
    }

    private Standing standing(StoredCampaign campaign, ProviderBatch batch, OutItem item) {
        int rounds = catalog.settings(batch.of().provider())
                .map(settings -> settings.batches())
                .map(BatchSettings::rounds)
                .orElse(1);
        boolean isLate = batch.times().deadline() != null
                && !batch.times().now().isBefore(batch.times().deadline());
        // A campaign that was cancelled may be resumed: its cells stay open.
        boolean isOver = campaign.state() != CampaignState.CANCELLED && (item.round() >= rounds || isLate);
        return new Standing(
                item.attempt(),
                campaign.definition().limits().maxAttempts(),
                isOver,
                DeliveredSlots.wish(
                                        campaign,
                                        item.cell(),
                                        batch.of().provider(),
                                        batch.of().model())
                                .way()
                        == Delivery.AUTO);
    }

    /**
     * The end of a request.
     *
     * @param line what the results say of it; null: nothing
     */
    private record Ended(
            OutItem item, ItemEnd end, @Nullable DeliveredLine line) {}

    /** The lines of the results, some of which are recorded together. */
    private final class Lines implements DeliveredFile.Sink {

        private final StoredCampaign campaign;
        private final ProviderBatch batch;
        private final DeliveredResults<Long> results;
        private final Map<Long, DeliveredLine> waiting = new LinkedHashMap<>();
        private long held;

        Lines(StoredCampaign campaign, ProviderBatch batch) {
            this.campaign = campaign;
            this.batch = batch;
            Set<Long> requests = batches.requestIds(batch.id());
            this.results = new DeliveredResults<>(customId -> {
                Long request = BatchLines.requestId(batch.id(), customId);
                return request != null && requests.contains(request) ? request : null;
            });
        }

        @Override
        public void accept(DeliveredLine line) {
            if (results.take(line) != DeliveredResults.Part.OWN) {
                return;
            }
            waiting.put(
                    Objects.requireNonNull(BatchLines.requestId(batch.id(), Objects.requireNonNull(line.customId()))),
                    line);
            held += line.body().toString().length();
            if (waiting.size() >= BatchLines.AT_ONCE || held > MOST_HELD) {
                try {
                    flush();
                } catch (InterruptedException e) {
                    throw new Stopped(e);
                }
            }
        }

        void flush() throws InterruptedException {
            if (waiting.isEmpty()) {
                return;
            }
            Map<Long, OutItem> items = batches.items(batch.id(), waiting.keySet());
            List<Ended> ended = new ArrayList<>();
            items.forEach((id, item) -> {
                DeliveredLine line = Objects.requireNonNull(waiting.get(id));
                ended.add(new Ended(item, ItemEnd.of(line, standing(campaign, batch, item)), line));
            });
            waiting.clear();
            held = 0;
            ended.stream()
                    .filter(one -> one.end().attempt() == Counted.KEY && one.line() != null)
                    .findFirst()
                    .ifPresent(one -> keys.failed(
                            batch.of().provider(),
                            batch.of().model(),
                            batch.provided().keyName(),
                            catalog.batchFailure(batch.of().provider(), null, Objects.requireNonNull(one.line()))));
            record(campaign, batch, ended);
        }
    }

    /** The worker ends while lines are recorded. */
    private static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final InterruptedException interrupt;

        Stopped(InterruptedException interrupt) {
            super(interrupt);
            this.interrupt = interrupt;
        }
    }

    /** Records ends together. One of a request that had ended changes nothing. */
    private void record(StoredCampaign campaign, ProviderBatch batch, List<Ended> ended) throws InterruptedException {
        write(ended.stream().filter(one -> !isClosed(one)).toList(), Collecting::opened);
        Map<CellKey, Ended> closed = new LinkedHashMap<>();
        ended.stream()
                .filter(Collecting::isClosed)
                .forEach(one -> closed.put(one.item().cell(), one));
        cells.each(
                campaign,
                batch.of().epoch(),
                BatchLines.attempts(closed.values().stream().map(Ended::item).toList()),
                (some, found) -> write(
                        some.stream()
                                .map(attempt -> Objects.requireNonNull(closed.get(attempt.cell())))
                                .toList(),
                        one -> {
                            DeliveredCell cell = found.get(one.item().cell());
                            // A call that its trial does not need any more was paid, and nobody reads it.
                            return cell == null ? opened(one) : closed(batch, one, cell);
                        }));
    }

    /** Makes the entry of an end. */
    @FunctionalInterface
    private interface Entry {
        EndItem of(Ended one) throws InterruptedException;
    }

    private void write(List<Ended> ended, Entry entry) throws InterruptedException {
        List<CompletableFuture<WriteResult>> written = new ArrayList<>(ended.size());
        for (Ended one : ended) {
            written.add(journal.end(entry.of(one)));
        }
        for (CompletableFuture<WriteResult> one : written) {
            try {
                var _ = one.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new CompletionException(e.getCause());
            }
        }
    }

    private static boolean isClosed(Ended one) {
        return one.end().cell() == CellEnd.ANSWERED || one.end().cell() == CellEnd.FAILED;
    }

    private static EndItem opened(Ended one) {
        return new EndItem(
                one.item(), settled(one, null), one.end().cell() == CellEnd.LIVE ? AfterItem.LIVE : AfterItem.OPEN);
    }

    private EndItem closed(ProviderBatch batch, Ended one, DeliveredCell cell) throws InterruptedException {
        if (one.end().cell() == CellEnd.FAILED) {
            Failure failure = failure(batch, one);
            JournalEntry outcome = cell.failed(failure, new Delivered(batch.id(), false));
            return new EndItem(one.item(), settled(one, null), new AfterItem(outcome, false));
        }
        return answered(batch, one, cell);
    }

    /** As a live call has it, where a line says what failed. */
    private Failure failure(ProviderBatch batch, Ended one) {
        Failure failure = Objects.requireNonNull(one.end().failure());
        return one.line() == null || failure.code() == ErrorCode.BATCH_EXPIRED
                ? failure
                : catalog.batchFailure(batch.of().provider(), null, one.line()).failure();
    }

    private EndItem answered(ProviderBatch batch, Ended one, DeliveredCell cell) throws InterruptedException {
        ModelReply reply;
        boolean isAssumed;
        try {
            ModelReply read = catalog.batchReply(
                    cell.choice(),
                    cell.request(),
                    Objects.requireNonNull(one.line()).body());
            Price price = cell.model().price();
            isAssumed = price != null && price.ofBatch().assumed();
            reply = new ModelReply(
                            read.message(),
                            read.measured().untimed(),
                            read.finishReason(),
                            read.warnings(),
                            read.provenance())
                    .storable();
        } catch (CallFailedException e) {
            // The provider was paid for an answer that cannot be used, as with a live call.
            JournalEntry outcome = cell.failed(e.failure(), new Delivered(batch.id(), false));
            return new EndItem(
                    one.item(),
                    new Settled(
                            one.end().state(),
                            "FAILED",
                            one.item().reservedUsd(),
                            null,
                            e.failure().code(),
                            null),
                    new AfterItem(outcome, false));
        }
        JournalEntry outcome = cell.answered(reply, new Delivered(batch.id(), isAssumed));
        return new EndItem(one.item(), settled(one, reply.measured()), new AfterItem(outcome, false));
    }

    private static Settled settled(Ended one, @Nullable Measured measured) {
        ItemEnd end = one.end();
        ErrorCode code = end.failure() == null ? null : end.failure().code();
        return new Settled(
                end.state(),
                end.charge() == Charge.RESERVATION ? "UNKNOWN" : end.charge() == Charge.USAGE ? "ANSWERED" : "FAILED",
                cost(one, measured),
                measured == null ? null : measured.usage().total(),
                code,
                end.attempt() == Counted.YES ? null : end.attempt().name());
    }

    /** Without reported usage the cost is unknown, and the reservation counts in full. */
    private static @Nullable BigDecimal cost(Ended one, @Nullable Measured measured) {
        BigDecimal reserved = one.item().reservedUsd();
        if (reserved == null) {
            return null;
        }
        return switch (one.end().charge()) {
            case USAGE -> measured == null || measured.costUsd() == null ? reserved : measured.costUsd();
            case NOTHING -> BigDecimal.ZERO;
            case RESERVATION -> reserved;
        };
    }

    /** Removes what lies with the provider, as far as that goes: it costs nothing, and the provider removes it at last. */
    void removeFiles(ProviderBatch batch, BatchWire wire) throws InterruptedException {
        List<String> files = new ArrayList<>();
        if (batch.provided().fileId() != null) {
            files.add(batch.provided().fileId());
        }
        try {
            if (batch.provided().providerId() != null) {
                files.addAll(wire.status(batch.provided().providerId()).files());
            }
            for (String file : files) {
                wire.deleteFile(file);
            }
        } catch (BatchCallException e) {
            LOG.info(
                    "Files of batch {} stay with the provider: {}",
                    batch.id(),
                    e.failure().message());
        }
    }
}

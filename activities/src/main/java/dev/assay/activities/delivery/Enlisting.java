package dev.assay.activities.delivery;

import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.campaign.DeliveredSlots;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.delivery.DeliveredCells.Attempt;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.activities.stop.StopLooks;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliverySplit;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.stop.StopRule;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.BatchRepository.TooMuch;
import dev.assay.store.delivery.EnlistRepository;
import dev.assay.store.delivery.EnlistRepository.Place;
import dev.assay.store.delivery.EnlistedLines;
import dev.assay.store.delivery.NewBatch;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.delivery.ProviderBatch.Problem;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.delivery.BatchActivities.EnlistRequest;
import dev.assay.workflows.delivery.BatchActivities.Enlisted;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts open cells into batches of their providers, in the campaign's order. Some cells are left to the live path: those with a stored
 * answer, without prompts, with too large a line or no budget.
 */
@Singleton
public class Enlisting {

    /** Trials that are looked at together. */
    private static final int AT_ONCE = 2_000;

    /** When a provider may have room again that had too many tokens of a model out. */
    private static final Duration UNTIL_ROOM = Duration.ofMinutes(5);

    /** Stands for all slots of calls. */
    private static final int ANY = -1;

    private static final Enlisted NOTHING = new Enlisted(List.of(), false, 0);

    private final ProviderCatalog catalog;
    private final BatchKeys keys;
    private final BatchLines lines;
    private final DeliveredCells delivered;
    private final BatchRepository batches;
    private final EnlistRepository cells;
    private final RunJournal journal;
    private final StopLooks stops;
    private final WorkerRepository workers;
    private final WorkerIdentity worker;
    private final AutoChoices autos;

    /** When it is tried again while something else than a batch of its own stands in the way. */
    private final Duration retry;

    Enlisting(
            ProviderCatalog catalog,
            BatchKeys keys,
            BatchLines lines,
            DeliveredCells delivered,
            BatchRepository batches,
            EnlistRepository cells,
            RunJournal journal,
            StopLooks stops,
            WorkerRepository workers,
            WorkerIdentity worker,
            AutoChoices autos,
            @Value("${assay.batches.retry:30s}") Duration retry) {
        this.retry = retry.multipliedBy(2);
        this.autos = autos;
        this.catalog = catalog;
        this.keys = keys;
        this.lines = lines;
        this.delivered = delivered;
        this.batches = batches;
        this.cells = cells;
        this.journal = journal;
        this.stops = stops;
        this.workers = workers;
        this.worker = worker;
    }

    /** Makes as many batches as may go now. Those that were made before and have no file yet are named again: their workflows may be missing. */
    Enlisted enlist(StoredCampaign campaign, EnlistRequest request) throws InterruptedException {
        CellKind kind = request.kind() == null ? CellKind.BRANCH : CellKind.ofWord(request.kind());
        List<Integer> slots = kind == CellKind.BRANCH
                ? DeliveredSlots.asking(campaign, request.provider(), request.model())
                : List.of();
        if (kind == CellKind.BRANCH && slots.isEmpty()) {
            return NOTHING;
        }
        if (!workers.allMakeBatches()) {
            // One of an earlier build would take the rows of the ledger for those of a worker that died.
            return new Enlisted(List.of(), false, retry.toMillis());
        }
        Enlisted enlisted = new Run(campaign, request, kind, slots).enlist();
        List<String> building = batches.openOf(campaign.id()).stream()
                .filter(batch -> batch.state() == BatchState.BUILDING
                        && batch.of().kind().equals(kind.word())
                        && batch.of().provider().equals(request.provider())
                        && batch.of().model().equals(request.model()))
                .map(ProviderBatch::id)
                .toList();
        return new Enlisted(building, enlisted.planAgain(), enlisted.retryAfterMs());
    }

    /** One pass over the campaign's open cells. */
    private final class Run {

        private final StoredCampaign campaign;
        private final EnlistRequest request;
        private final CellKind kind;

        /** The branches that ask the model; none for calls of judges and graders, whose trials say what they want. */
        private final List<Integer> slots;

        private final RunKey run;
        private final List<NewBatch.Line> now = new ArrayList<>();
        private final List<NewBatch.Line> tooLarge = new ArrayList<>();
        private final List<Place> live = new ArrayList<>();
        private final Map<Integer, Delivery> choices = new HashMap<>();
        private int round;
        private int made;
        private boolean planAgain;
        private boolean isFull;

        Run(StoredCampaign campaign, EnlistRequest request, CellKind kind, List<Integer> slots) {
            this.campaign = campaign;
            this.request = request;
            this.kind = kind;
            this.slots = slots;
            this.run = new RunKey(campaign.id(), request.epoch());
        }

        Enlisted enlist() throws InterruptedException {
            BatchSettings settings = catalog.settings(request.provider())
                    .map(provider -> provider.batches())
                    .orElse(null);
            if (settings == null) {
                slots.forEach(slot -> autos.noBatches(campaign, slot));
                return pass(null);
            }
            TooMuch tooMuch =
                    batches.tooMuch(request.provider(), request.model()).orElse(null);
            if (tooMuch != null && !tooMuch.isOver() && tooMuch.since().compareTo(UNTIL_ROOM) < 0) {
                return new Enlisted(
                        List.of(), false, UNTIL_ROOM.minus(tooMuch.since()).toMillis());
            }
            Optional<String> key = keys.usable(request.provider(), request.model());
            if (key.isEmpty()) {
                return new Enlisted(List.of(), false, retry.toMillis());
            }
            int out = batches.countOpen(campaign.id());
            DeliverySplit split = split(settings, tooMuch);
            boolean isRoundOut = campaign.stopping().rule() != StopRule.NONE && out > 0;
            isFull = out >= settings.maxOut() || split.isFull() || isRoundOut;
            return pass(new Sending(
                    settings,
                    catalog.batches(request.provider(), BatchKeys.name(key.get())),
                    split,
                    settings.maxOut() - out));
        }

        /** @param sending null: no batch is made, and all open cells go live */
        private Enlisted pass(@Nullable Sending sending) throws InterruptedException {
            int total = campaign.grid().size();
            for (int at = 0; at < total && !isFull; at += AT_ONCE) {
                SortedSet<Integer> ordinals =
                        campaign.order().ordinals(List.of(new OrdinalRange(at, Math.min(total, at + AT_ONCE))));
                List<Place> open = open(at, Math.min(total, at + AT_ONCE), ordinals);
                List<Attempt> attempts =
                        open.stream().map(place -> new Attempt(key(place), 1)).toList();
                delivered.each(campaign, request.epoch(), attempts, (some, found) -> {
                    for (Attempt one : some) {
                        Place place = new Place(one.cell().ordinal(), one.cell().slot());
                        DeliveredCell cell = found.get(one.cell());
                        if (cell == null) {
                            goesLive(place);
                        } else if (asksModel(cell)) {
                            take(sending, place, cell);
                        }
                    }
                });
            }
            if (sending != null) {
                flush(sending);
                flushTooLarge(sending.settings());
            }
            sendLive();
            // Where nothing of its own is out, others fill the room that the provider gives, and no batch will wake it.
            boolean waitsForOthers = isFull && !planAgain && batches.countOpen(campaign.id()) == 0;
            return new Enlisted(List.of(), planAgain, waitsForOthers ? retry.toMillis() : 0);
        }

        private CellKey key(Place place) {
            return new CellKey(campaign.id(), place.ordinal(), kind, place.slot());
        }

        private boolean asksModel(DeliveredCell cell) {
            return cell.choice().provider().equals(request.provider())
                    && cell.choice().model().equals(request.model());
        }

        private void take(@Nullable Sending sending, Place place, DeliveredCell cell) throws InterruptedException {
            int trial = campaign.grid().trial(place.ordinal());
            if (campaign.stopping().rule() != StopRule.NONE && round != 0 && trial != round) {
                isFull = true;
                return;
            }
            round = trial;
            if (sending == null || live(sending.settings(), place)) {
                goesLive(place);
            } else if (!isFull) {
                add(sending, place, cell);
            }
        }

        /** Whether the cells of a branch go live now, since its file leaves it to Assay. */
        private boolean live(BatchSettings settings, Place place) {
            int slot = kind == CellKind.BRANCH ? place.slot() : ANY;
            DeliveryWish wish = wish(place.slot());
            if (wish.way() != Delivery.AUTO) {
                return false;
            }
            Delivery known = choices.get(slot);
            if (known == null) {
                int open = countOpen(slot, settings.minimum());
                known = autos.choose(campaign, request, name(slot), deadline(wish), open, settings.minimum());
                choices.put(slot, known);
            }
            return known == Delivery.LIVE;
        }

        /** Open cells of a branch, or calls of judges or graders that are to go out; those above {@code enough} are not counted. */
        private int countOpen(int slot, int enough) {
            int total = campaign.grid().size();
            int found = 0;
            for (int at = 0; at < total && found < enough; at += AT_ONCE) {
                int to = Math.min(total, at + AT_ONCE);
                SortedSet<Integer> ordinals = campaign.order().ordinals(List.of(new OrdinalRange(at, to)));
                found += kind == CellKind.BRANCH
                        ? ordinals.size()
                                - cells.notOpen(run, kind, List.of(slot), ordinals)
                                        .size()
                        : cells.wanted(campaign.id(), kind, ordinals).size();
            }
            return found;
        }

        /** The branch's id; of calls who makes them, with their model. */
        private String name(int slot) {
            return slot == ANY
                    ? (kind == CellKind.JUDGE ? "judge " : "grader ") + request.model()
                    : campaign.definition().branches().get(slot).id();
        }

        private DeliveryWish wish(int slot) {
            return DeliveredSlots.wish(
                    campaign, new CellKey(campaign.id(), 0, kind, slot), request.provider(), request.model());
        }

        private Instant deadline(DeliveryWish wish) {
            Duration held = wish.heldDeadline();
            return held == null ? Instant.MAX : campaign.createdAt().plus(held);
        }

        private DeliverySplit split(BatchSettings settings, @Nullable TooMuch tooMuch) {
            int lines = tooMuch == null ? settings.maxLines() : Math.clamp(tooMuch.lines() / 2, 1, settings.maxLines());
            return new DeliverySplit(
                    new DeliverySplit.Bounds(lines, settings.maxBytes(), settings.enqueuedTokens()),
                    batches.tokensOut(request.provider(), request.model()));
        }

        /** The cells that a batch may take, in the campaign's order. Those that are not needed any more are closed. */
        private List<Place> open(int from, int to, SortedSet<Integer> ordinals) {
            if (kind != CellKind.BRANCH) {
                return cells.wanted(campaign.id(), kind, ordinals).stream()
                        .sorted(Comparator.<Place>comparingInt(
                                        place -> campaign.order().position(place.ordinal()))
                                .thenComparingInt(Place::slot))
                        .toList();
            }
            slots.forEach(slot -> stops.close(campaign, slot, ordinals));
            Set<Place> notOpen = cells.notOpen(run, kind, slots, ordinals);
            return IntStream.range(from, to)
                    .map(campaign.order()::ordinal)
                    .boxed()
                    .flatMap(ordinal -> slots.stream().map(slot -> new Place(ordinal, slot)))
                    .filter(place -> !notOpen.contains(place))
                    .filter(place -> stops.isNeeded(campaign, place.slot(), place.ordinal()))
                    .toList();
        }

        private void add(Sending sending, Place place, DeliveredCell cell) throws InterruptedException {
            NewBatch.Line line = line(sending.wire(), place, cell);
            if (line == null) {
                goesLive(place);
                return;
            }
            switch (sending.split().take(new DeliverySplit.Line(line.bytes(), line.tokens()))) {
                case SAME -> now.add(line);
                case NEXT -> {
                    flush(sending);
                    if (!isFull) {
                        now.add(line);
                    }
                }
                case WAITS -> isFull = true;
                case TOO_LARGE -> {
                    if (wish(place.slot()).way() == Delivery.AUTO) {
                        goesLive(place);
                    } else {
                        tooLarge.add(line.unsent());
                        if (tooLarge.size() == AT_ONCE) {
                            flushTooLarge(sending.settings());
                        }
                    }
                }
            }
        }

        /** The line of a cell; null: the live path ends it. */
        private NewBatch.@Nullable Line line(BatchWire wire, Place place, DeliveredCell cell)
                throws InterruptedException {
            try {
                ModelRequest asked = cell.request();
                if (cell.isOnRecord()) {
                    return null;
                }
                long requestId = journal.nextRequestId();
                byte[] written = lines.line(wire, BatchLines.customId("0".repeat(32), requestId), cell, asked);
                return new NewBatch.Line(
                        requestId,
                        place.ordinal(),
                        place.slot(),
                        written.length,
                        cell.model().inputTokens(asked),
                        cell.model().worstCaseInBatch(asked));
            } catch (CallFailedException _) {
                return null;
            }
        }

        private void goesLive(Place place) {
            live.add(place);
            if (live.size() >= AT_ONCE) {
                sendLive();
            }
        }

        private void sendLive() {
            if (!live.isEmpty()) {
                cells.goLive(run, kind, live);
                live.clear();
                planAgain = true;
            }
        }

        private void flush(Sending sending) {
            if (now.isEmpty()) {
                return;
            }
            EnlistedLines enlisted = make(now, null);
            if (enlisted.lines() > 0) {
                made++;
            }
            if (enlisted.overBudget()) {
                isFull = true;
                if (enlisted.lines() == 0 && batches.countOpen(campaign.id()) == 0) {
                    // Nothing will come back that could make room: the live path says what becomes of them.
                    now.forEach(line -> goesLive(new Place(line.ordinal(), line.slot())));
                }
            }
            now.clear();
            isFull |= made >= sending.batches();
        }

        /** Their cells fail, by a batch that is never handed over. */
        private void flushTooLarge(BatchSettings settings) {
            if (tooLarge.isEmpty()) {
                return;
            }
            String most = settings.maxBytes() + " bytes"
                    + (settings.enqueuedTokens() == 0 ? "" : ", " + settings.enqueuedTokens() + " tokens");
            String words = "The request is larger than what a batch of provider " + request.provider() + " takes ("
                    + most + "). Shorten it, ask it with delivery live or auto, or raise `batches` in providers.yaml.";
            var _ = make(tooLarge, new Problem(ErrorCode.CONTEXT_TOO_LONG.name(), words));
            tooLarge.clear();
        }

        private EnlistedLines make(List<NewBatch.Line> some, @Nullable Problem refusal) {
            return cells.enlist(new NewBatch(
                    UUID.randomUUID().toString().replace("-", ""),
                    run,
                    worker.id(),
                    kind,
                    new NewBatch.Target(request.provider(), request.model(), request.queue()),
                    deadline(some),
                    some,
                    refusal));
        }

        /** When cells are taken back: in time to be asked live where the file leaves that to Assay. */
        private Instant leaves(DeliveryWish wish, int lines) {
            return wish.way() == Delivery.AUTO
                    ? AutoDelivery.leaves(deadline(wish), lines, autos.liveCall(request), campaign.maxConcurrent())
                    : deadline(wish);
        }

        /** The earliest deadline of those that ask; null: there is none. */
        private @Nullable Instant deadline(List<NewBatch.Line> lines) {
            List<DeliveryWish> wishes = kind == CellKind.BRANCH
                    ? slots.stream().map(this::wish).toList()
                    : lines.stream().map(line -> wish(line.slot())).distinct().toList();
            return wishes.stream()
                    .filter(wish -> wish.heldDeadline() != null)
                    .map(wish -> leaves(wish, lines.size()))
                    .min(Instant::compareTo)
                    .orElse(null);
        }
    }

    /**
     * How batches are made.
     *
     * @param batches how many, at most
     */
    private record Sending(BatchSettings settings, BatchWire wire, DeliverySplit split, int batches) {}
}

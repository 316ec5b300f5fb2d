package dev.assay.activities.delivery;

import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.campaign.DeliveredSlots;
import dev.assay.activities.metrics.BatchMetrics;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.delivery.BatchCallException;
import dev.assay.activities.provider.delivery.BatchStatus;
import dev.assay.activities.provider.delivery.BatchWire;
import dev.assay.activities.provider.delivery.Listing;
import dev.assay.activities.provider.delivery.Submission;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.delivery.BatchPace;
import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.OutBatch;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.delivery.ProviderBatch.Counts;
import dev.assay.store.delivery.ProviderBatch.Problem;
import dev.assay.workflows.delivery.BatchActivities.Step;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a batch. Each begins with the row in PostgreSQL and ends with a change of it. Whoever takes the next one knows where it
 * is, after whatever end of the last. Only the one that changed UPLOADED to SUBMITTING submits.
 */
@Singleton
public class BatchSteps {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSteps.class);

    /** A submission that is not sent within this time after its commit is not sent: others may have begun to look for it. */
    private static final Duration MOST_DELAY = Duration.ofSeconds(20);

    private static final Problem NO_KEY_ENABLED =
            new Problem("PROVIDER_AUTH", "No key of the provider is enabled in this worker.");

    private static final DateTimeFormatter TIME_OF_DAY =
            DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Duration FIRST_POLL = Duration.ofSeconds(15);

    private final CampaignDirectory campaigns;
    private final BatchRepository batches;
    private final BatchLines lines;
    private final BatchKeys keys;
    private final ProviderCatalog catalog;
    private final Collecting collecting;
    private final BatchMetrics metrics;

    /** What the provider does not yet list, it may list after this time. */
    private final Duration untilListed;

    /** After what fails by chance, at first. */
    private final Duration retry;

    /** While no key is enabled, or the provider takes no more, at first. */
    private final Duration noKey;

    /** While nobody can tell what the provider has, at first. */
    private final Duration uncertain;

    /** While its account cannot be reached, at first. */
    private final Duration unreachable;

    BatchSteps(
            CampaignDirectory campaigns,
            BatchRepository batches,
            BatchLines lines,
            BatchKeys keys,
            ProviderCatalog catalog,
            Collecting collecting,
            BatchMetrics metrics,
            @Value("${assay.batches.until-listed:60s}") Duration untilListed,
            @Value("${assay.batches.retry:30s}") Duration retry) {
        this.campaigns = campaigns;
        this.batches = batches;
        this.lines = lines;
        this.keys = keys;
        this.catalog = catalog;
        this.collecting = collecting;
        this.metrics = metrics;
        this.untilListed = untilListed;
        this.retry = retry;
        this.noKey = retry.multipliedBy(2);
        this.uncertain = retry.multipliedBy(4);
        this.unreachable = retry.multipliedBy(10);
    }

    /**
     * Takes the next step of a batch.
     */
    Step next(String batchId) throws InterruptedException {
        ProviderBatch batch = batches.find(batchId).orElse(null);
        if (batch == null) {
            return new Step(true, 0, "The batch is not in this database.");
        }
        try {
            return next(batch);
        } finally {
            batches.find(batchId).ifPresent(after -> count(batch, after));
        }
    }

    /** Counts what a step recorded, also one that ended half way. */
    private void count(ProviderBatch before, ProviderBatch after) {
        String provider = before.of().provider();
        Counts old = before.counts();
        Counts now = after.counts();
        metrics.recorded(provider, BatchMetrics.LineEnd.ANSWERED, now.answered() - old.answered());
        metrics.recorded(provider, BatchMetrics.LineEnd.FAILED, now.failed() - old.failed());
        metrics.recorded(provider, BatchMetrics.LineEnd.EXPIRED, now.expired() - old.expired());
        metrics.recorded(provider, BatchMetrics.LineEnd.CANCELED, now.canceled() - old.canceled());
        metrics.recorded(provider, BatchMetrics.LineEnd.MISSING, now.missing() - old.missing());
        Instant submitted = after.times().submitted();
        Instant ended = after.times().ended();
        if (before.state() == BatchState.SUBMITTED
                && after.state() == BatchState.ENDED
                && submitted != null
                && ended != null) {
            metrics.ended(Duration.between(submitted, ended));
        }
    }

    private Step next(ProviderBatch batch) throws InterruptedException {
        return switch (batch.state()) {
            case BUILDING -> isGivenUp(batch) ? giveUp(batch) : upload(batch);
            case UPLOADED -> isGivenUp(batch) ? giveUp(batch) : submit(batch);
            case SUBMITTING, UNCERTAIN -> reconcile(batch);
            case SUBMITTED -> poll(batch);
            case ENDED -> collect(batch);
            case REFUSED, ABANDONED -> end(batch);
            case COLLECTED -> done(batch);
        };
    }

    /** Whether its answers are not wanted any more: its campaign or all its branches were cancelled, or its deadline is reached. */
    private boolean isGivenUp(ProviderBatch batch) {
        if (batch.times().cancelRequested() != null || isLate(batch)) {
            return true;
        }
        StoredCampaign campaign = campaign(batch);
        return campaign.state() == CampaignState.CANCELLED
                || (batch.of().kind().equals(CellKind.BRANCH.word())
                        && DeliveredSlots.asking(
                                        campaign,
                                        batch.of().provider(),
                                        batch.of().model())
                                .isEmpty());
    }

    private static boolean isLate(ProviderBatch batch) {
        Instant deadline = batch.times().deadline();
        return deadline != null && !batch.times().now().isBefore(deadline);
    }

    /** Nobody pays for it: its cells come back as if they had never been out. */
    private Step giveUp(ProviderBatch batch) {
        var _ = batches.refused(batch.id(), new Problem(null, Collecting.GIVEN_UP));
        return again(batch, Duration.ZERO);
    }

    private Step upload(ProviderBatch batch) throws InterruptedException {
        if (batch.error() != null
                && ErrorCode.CONTEXT_TOO_LONG.name().equals(batch.error().code())) {
            // It was made only for this end of its cells.
            var _ = batches.refused(batch.id(), batch.error());
            return again(batch, Duration.ZERO);
        }
        Optional<String> key = keys.usable(batch.of().provider(), batch.of().model());
        return key.isEmpty()
                ? wait(batch, NO_KEY_ENABLED, pace(batch, noKey))
                : upload(batch, BatchKeys.name(key.get()));
    }

    private Step upload(ProviderBatch batch, @Nullable String keyName) throws InterruptedException {
        BatchWire wire = wire(batch, keyName);
        try {
            Optional<Path> file = lines.write(campaign(batch), batch, wire);
            if (file.isEmpty()) {
                return giveUp(batch);
            }
            var _ = batches.uploaded(batch.id(), wire.upload(file.get()), keyName);
            return again(batch, Duration.ZERO);
        } catch (BatchCallException e) {
            keys.failed(batch.of().provider(), batch.of().model(), keyName, e.asLive());
            if (isFinal(e)) {
                var _ = batches.refused(batch.id(), problem(e));
                return again(batch, Duration.ZERO);
            }
            return wait(batch, problem(e), after(e, pace(batch, retry)));
        }
    }

    private Step submit(ProviderBatch batch) throws InterruptedException {
        Optional<String> key = keys.usable(
                batch.of().provider(), batch.of().model(), batch.provided().keyName());
        if (key.isEmpty()) {
            return wait(batch, NO_KEY_ENABLED, pace(batch, noKey));
        }
        String keyName = BatchKeys.name(key.get());
        if (!Objects.equals(keyName, batch.provided().keyName())) {
            // Its file may lie in the account of another key, which is not enabled any more.
            return upload(batch, keyName);
        }
        BatchWire wire = wire(batch, keyName);
        Optional<Path> file = lines.file(campaign(batch), batch, wire);
        if (file.isEmpty()) {
            return giveUp(batch);
        }
        Listing before;
        try {
            before = wire.candidates(
                    batch.times().created(),
                    batch.id(),
                    batch.provided().fileId(),
                    batch.size().lines());
        } catch (BatchCallException e) {
            keys.failed(batch.of().provider(), batch.of().model(), keyName, e.asLive());
            return wait(batch, problem(e), after(e, pace(batch, retry)));
        }
        long begin = System.nanoTime();
        if (!batches.submitting(batch.id(), keys.account(batch.of().provider(), keyName, before.account()))) {
            return again(batch, Duration.ZERO);
        }
        Optional<Listing.Candidate> there = ours(before);
        if (there.isPresent()) {
            // PostgreSQL went back to a state from before it was submitted.
            return found(batch, there.get(), before.account());
        }
        if (System.nanoTime() - begin > MOST_DELAY.toNanos()) {
            LOG.warn("Batch {} is not submitted: the commit before took too long", batch.id());
            return again(batch, untilListed);
        }
        Submission submission = wire.submit(batch.id(), batch.provided().fileId(), file.get());
        metrics.submitted(batch.of().provider(), result(submission));
        if (submission instanceof Submission.Refused refused) {
            keys.failed(batch.of().provider(), batch.of().model(), keyName, refused.asLive());
        }
        return switch (submission) {
            case Submission.Accepted accepted -> accepted(batch, accepted);
            case Submission.Refused refused
            when refused.retryLater() -> {
                Problem problem = new Problem(refused.code(), refused.words());
                var _ = batches.notAccepted(batch.id(), batch.provided().fileId(), problem);
                Duration asked = refused.retryAfter() == null ? pace(batch, noKey) : refused.retryAfter();
                yield again(batch, asked);
            }
            case Submission.Refused refused -> {
                var _ = batches.refused(batch.id(), new Problem(refused.code(), refused.words()));
                yield again(batch, Duration.ZERO);
            }
            case Submission.Unknown(String words) ->
                wait(
                        batch,
                        new Problem(OutBatch.REPLY_LOST, "The reply to the submission was lost: " + words),
                        untilListed);
        };
    }

    private static BatchMetrics.Result result(Submission submission) {
        return switch (submission) {
            case Submission.Accepted _ -> BatchMetrics.Result.ACCEPTED;
            case Submission.Refused refused ->
                refused.retryLater() ? BatchMetrics.Result.LATER : BatchMetrics.Result.REFUSED;
            case Submission.Unknown _ -> BatchMetrics.Result.UNKNOWN;
        };
    }

    private static Optional<Listing.Candidate> ours(Listing listing) {
        return listing.candidates().stream().filter(Listing.Candidate::isOurs).findFirst();
    }

    private Step found(ProviderBatch batch, Listing.Candidate one, @Nullable String account) {
        var _ = batches.submitted(batch.id(), one.providerId(), null, account);
        lines.remove(batch.id());
        return again(batch, Duration.ZERO);
    }

    private Step accepted(ProviderBatch batch, Submission.Accepted accepted) {
        var _ = batches.submitted(batch.id(), accepted.providerId(), accepted.expiresAt(), accepted.account());
        lines.remove(batch.id());
        return again(batch, firstPoll(batch));
    }

    /** Finds out whether a submission was accepted whose reply nobody read. Nothing is submitted while that is not sure. */
    private Step reconcile(ProviderBatch batch) throws InterruptedException {
        Instant sent = batch.times().submitting() == null
                ? batch.times().created()
                : batch.times().submitting();
        Duration since = Duration.between(sent, batch.times().now());
        if (since.compareTo(untilListed) < 0) {
            return again(batch, untilListed.minus(since));
        }
        BatchWire wire = wire(batch, batch.provided().keyName());
        try {
            Listing listing = wire.candidates(
                    sent, batch.id(), batch.provided().fileId(), batch.size().lines());
            Optional<Listing.Candidate> ours = ours(listing);
            if (ours.isPresent()) {
                return found(batch, ours.get(), listing.account());
            }
            if (!batches.areKnown(listing.candidates().stream()
                    .map(Listing.Candidate::providerId)
                    .toList())) {
                // One of them may be ours, which can be told when it ends.
                return again(batch, pace(batch, uncertain));
            }
            String account =
                    keys.account(batch.of().provider(), batch.provided().keyName(), listing.account());
            if (!Objects.equals(batch.provided().accountHash(), account)) {
                return uncertain(batch, "The key in use belongs to another account than the one that was asked.");
            }
            Instant clean = batch.times().clean();
            if (clean == null || Duration.between(clean, batch.times().now()).compareTo(untilListed) < 0) {
                batches.clean(batch.id());
                return again(batch, untilListed);
            }
            return submitAgain(batch, wire);
        } catch (BatchCallException e) {
            return uncertain(
                    batch,
                    "The list of the provider's batches cannot be read: "
                            + e.failure().message());
        }
    }

    /** Its file goes with it, so that a submission that is still on its way somewhere names nothing. */
    private Step submitAgain(ProviderBatch batch, BatchWire wire) throws InterruptedException, BatchCallException {
        String old = batch.provided().fileId();
        if (old != null) {
            wire.deleteFile(old);
        }
        Optional<Path> file = lines.write(campaign(batch), batch, wire);
        if (file.isEmpty()) {
            return giveUp(batch);
        }
        var _ = batches.notAccepted(batch.id(), wire.upload(file.get()), null);
        return again(batch, Duration.ZERO);
    }

    private Step uncertain(ProviderBatch batch, String words) {
        batches.uncertain(batch.id(), new Problem("BATCH_UNCERTAIN", words));
        return again(batch, pace(batch, uncertain));
    }

    private Step poll(ProviderBatch batch) throws InterruptedException {
        String providerId = batch.provided().providerId();
        if (providerId == null) {
            throw new IllegalStateException("Batch " + batch.id() + " is SUBMITTED without an id of its provider");
        }
        BatchWire wire = wire(batch, batch.provided().keyName());
        try {
            if (isGivenUp(batch)) {
                cancel(batch, wire, providerId);
            }
            BatchStatus status = wire.status(providerId);
            int done = Math.clamp(status.completed() + status.failedLines(), 0, Integer.MAX_VALUE);
            if (status.failed() != null) {
                Problem problem =
                        new Problem(status.failed().code(), status.failed().words());
                var _ = batches.refused(batch.id(), problem);
                return again(batch, Duration.ZERO);
            }
            if (status.ended()) {
                var _ = batches.ended(batch.id(), done);
                return again(batch, Duration.ZERO);
            }
            Duration next = nextPoll(batch);
            batches.polled(batch.id(), done, status.expiresAt());
            return again(batch, next);
        } catch (BatchCallException e) {
            boolean isGone = e.asksForAnotherKey();
            Optional<String> other = isGone ? otherKey(batch, providerId) : Optional.empty();
            if (other.isPresent()) {
                batches.seenBy(batch.id(), other.get());
                return again(batch, Duration.ZERO);
            }
            String words = isGone
                    ? "Key %s of account %s cannot see batch %s any more: %s"
                            .formatted(
                                    batch.provided().keyName(),
                                    batch.provided().accountHash(),
                                    providerId,
                                    e.failure().message())
                    : e.failure().message();
            return wait(
                    batch,
                    new Problem(isGone ? "BATCH_UNREACHABLE" : "BATCH_POLL_FAILED", words),
                    isGone ? pace(batch, unreachable) : after(e, nextPoll(batch)));
        }
    }

    /** The name of another key of the provider that sees a batch: it is one of the same account. */
    private Optional<String> otherKey(ProviderBatch batch, String providerId) throws InterruptedException {
        for (String name : keys.names(batch.of().provider())) {
            if (name.equals(batch.provided().keyName())) {
                continue;
            }
            try {
                var _ = catalog.batches(batch.of().provider(), name).status(providerId);
                return Optional.of(name);
            } catch (BatchCallException | ModelException e) {
                LOG.debug("Key {} does not see batch {}", name, batch.id(), e);
            }
        }
        return Optional.empty();
    }

    /** A batch that has ended meanwhile refuses that, and is collected. */
    private void cancel(ProviderBatch batch, BatchWire wire, String providerId) throws InterruptedException {
        batches.requestCancel(batch.id());
        try {
            wire.cancel(providerId);
        } catch (BatchCallException e) {
            LOG.info("Batch {} is not cancelled: {}", batch.id(), e.failure().message());
        }
    }

    private Step collect(ProviderBatch batch) throws InterruptedException {
        BatchWire wire = wire(batch, batch.provided().keyName());
        try {
            return switch (collecting.collect(campaign(batch), batch, wire)) {
                case WHOLE -> again(batch, Duration.ZERO);
                case AGAIN -> again(batch, Collecting.pause(batch.counts().tries()));
                case FOREIGN -> again(batch, pace(batch, uncertain));
            };
        } catch (BatchCallException e) {
            batches.unread(batch.id(), problem(e));
            if (!Collecting.isLastTry(batch)) {
                return again(batch, Collecting.pause(batch.counts().tries()));
            }
            collecting.endReading(campaign(batch), batch);
            return again(batch, Duration.ZERO);
        }
    }

    private Step end(ProviderBatch batch) throws InterruptedException {
        collecting.endRest(campaign(batch), batch);
        return done(batch);
    }

    private Step done(ProviderBatch batch) throws InterruptedException {
        lines.remove(batch.id());
        collecting.removeFiles(batch, wire(batch, batch.provided().keyName()));
        return new Step(true, 0, text(batch));
    }

    private StoredCampaign campaign(ProviderBatch batch) {
        return campaigns.get(batch.of().campaignId());
    }

    /** With the key of this name, or with the provider's first where this worker has that key no more. */
    private BatchWire wire(ProviderBatch batch, @Nullable String key) {
        String provider = batch.of().provider();
        return catalog.batches(provider, key == null || keys.names(provider).contains(key) ? key : null);
    }

    private static Problem problem(BatchCallException e) {
        return new Problem(e.failure().code().name(), e.failure().message());
    }

    /** Whether the provider refuses the request itself, so that the same again would be refused, too. */
    private static boolean isFinal(BatchCallException e) {
        return e.failure().code() == ErrorCode.PROVIDER_REJECTED && e.status() != 0;
    }

    private static Duration after(BatchCallException e, Duration otherwise) {
        return Objects.requireNonNullElse(e.retryAfter(), otherwise);
    }

    private Step wait(ProviderBatch batch, Problem problem, Duration wait) {
        batches.note(batch.id(), problem);
        return again(batch, wait);
    }

    private Step again(ProviderBatch batch, Duration wait) {
        batches.nextLook(batch.id(), wait);
        return new Step(false, wait.toMillis(), text(batches.find(batch.id()).orElse(batch)));
    }

    private Duration firstPoll(ProviderBatch batch) {
        Duration fixed = fixedPoll(batch);
        return fixed == null ? FIRST_POLL : fixed;
    }

    private Duration nextPoll(ProviderBatch batch) {
        Duration fixed = fixedPoll(batch);
        return fixed == null ? pace(batch, FIRST_POLL) : fixed;
    }

    /** By how long it has been on its way. */
    private static Duration pace(ProviderBatch batch, Duration first) {
        ProviderBatch.Times times = batch.times();
        Instant since = times.submitted() == null ? times.created() : times.submitted();
        return BatchPace.next(
                Duration.between(since, times.now()),
                first,
                times.deadline() == null ? null : Duration.between(times.now(), times.deadline()));
    }

    private @Nullable Duration fixedPoll(ProviderBatch batch) {
        return catalog.settings(batch.of().provider())
                .map(settings -> settings.batches())
                .map(BatchSettings::poll)
                .orElse(null);
    }

    /** Such as {@code openai gpt-6.1: 120 of 300 answered, polls again 14:20 UTC}. */
    private static String text(ProviderBatch batch) {
        boolean isOut = batch.state() == BatchState.SUBMITTED;
        Instant next = batch.times().nextPoll();
        return "%s %s: %s%d of %d answered%s%s"
                .formatted(
                        batch.of().provider(),
                        batch.of().model(),
                        isOut ? "" : batch.state().name().toLowerCase(Locale.ROOT) + ", ",
                        isOut ? batch.counts().saidDone() : batch.counts().answered(),
                        batch.size().lines(),
                        isOut && next != null ? ", polls again " + TIME_OF_DAY.format(next) : "",
                        batch.error() == null ? "" : " – " + batch.error().message());
    }
}

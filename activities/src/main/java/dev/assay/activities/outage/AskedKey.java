package dev.assay.activities.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.KeyEvidence;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.store.outage.SeenKey;
import dev.assay.store.outage.StoredOutage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A key with which this worker asks: how its calls end, over all pools, and whether it is refused. */
final class AskedKey {

    /** Others need not know of a success sooner: they ask whether there was one for a minute. */
    private static final Duration TOLD_EVERY = Duration.ofSeconds(10);

    private final KeyMark key;
    private final InstantSource clock;
    private final Set<ModelPool> refusing = new HashSet<>();
    private KeyEvidence evidence = KeyEvidence.NONE;
    private Outage.Reason reason = Outage.Reason.AUTH;
    private String words = "";
    /** When a request was sent whose answer says that the key is good; null: none was answered. */
    private @Nullable Instant takenSentAt;

    private boolean isNew = true;
    private @Nullable Instant toldTaken;
    private KeyEvidence telling = KeyEvidence.NONE;
    private KeyEvidence told = KeyEvidence.NONE;

    /** Whether the worker waits until it is decided whether the key is refused, before it sends anything. */
    private boolean isHeldBack;

    private boolean isRefused;
    private boolean isProbed;
    /** When each of its pools that are down may be probed beside other keys. */
    private final Map<ModelPool, Due> due = new HashMap<>();

    private final Set<ModelPool> probing = new HashSet<>();

    /** @param at by the clock of this worker */
    private record Due(StoredOutage outage, Instant at) {}

    AskedKey(KeyMark key, InstantSource clock) {
        this.key = key;
        this.clock = clock;
    }

    KeyMark key() {
        return key;
    }

    /**
     * A call was refused for its key.
     *
     * @return whether that must be told at once
     */
    synchronized boolean refused(ModelPool pool, Outage.Reason why, String said) {
        evidence = evidence.refused(clock.instant());
        reason = why;
        words = said;
        refusing.add(pool);
        isHeldBack = evidence.isProven(clock.instant());
        return isHeldBack;
    }

    /**
     * A call that was sent at {@code sentAt} was answered: the key was taken. It says nothing of a key that was refused since. The
     * first answer does: the key was taken for one model while it was refused for another.
     *
     * @return whether the key was thought to be refused
     */
    synchronized boolean taken(Instant sentAt) {
        boolean isFirst = evidence.lastSuccess() == null;
        if ((isHeldBack || isRefused) && !isFirst && !evidence.isRefutedBy(sentAt)) {
            return false;
        }
        boolean wasRefused = isRefused;
        isGood(sentAt);
        return wasRefused;
    }

    private void isGood(Instant sentAt) {
        if (evidence.refusals() > 0) {
            // A refusal that another worker met before must not outdo it.
            toldTaken = null;
        }
        takenSentAt = takenSentAt == null || sentAt.isAfter(takenSentAt) ? sentAt : takenSentAt;
        evidence = evidence.taken(clock.instant());
        refusing.clear();
        isHeldBack = false;
        isRefused = false;
        notifyAll();
    }

    /** Whether nothing is sent with it until the next exchange. */
    synchronized boolean isHeldBack() {
        return isHeldBack;
    }

    /** Whether requests may be sent with it. */
    synchronized boolean isUsable() {
        return !isHeldBack && !isRefused;
    }

    /** Takes the outages that are its own, with the pools that it may probe while other keys go on. */
    synchronized void refusedIn(Collection<StoredOutage> outages) {
        due.clear();
        for (StoredOutage outage : outages) {
            StoredOutage.OfKey ofKey = outage.ofKey();
            if (ofKey != null && ofKey.isProbedBeside()) {
                due.put(outage.pool(), new Due(outage, clock.instant().plus(outage.untilProbe())));
            }
        }
    }

    /** The outage of a pool that may be probed now, beside other keys; null: none may. */
    synchronized @Nullable StoredOutage probeDue(ModelPool pool) {
        Due next = due.get(pool);
        return next == null
                        || probing.contains(pool)
                        || isHeldBack
                        || clock.instant().isBefore(next.at())
                ? null
                : next.outage();
    }

    /**
     * A request is to probe a pool; the next exchange says when another may.
     *
     * @return false: one does already
     */
    synchronized boolean probes(ModelPool pool) {
        due.remove(pool);
        return probing.add(pool);
    }

    /** The probe of a pool is over. */
    synchronized void probed(ModelPool pool) {
        probing.remove(pool);
    }

    /** What is to be told of it; null: nothing new. */
    synchronized @Nullable SeenKey seen() {
        boolean isUntold = isHeldBack && !evidence.equals(told);
        Instant taken = evidence.lastSuccess();
        boolean isDue = taken != null && (toldTaken == null || taken.isAfter(toldTaken.plus(TOLD_EVERY)));
        if (!isNew && !isUntold && !isDue) {
            return null;
        }
        telling = evidence;
        return new SeenKey(
                key,
                isNew,
                taken == null ? null : Duration.between(taken, clock.instant()),
                isUntold ? new SeenKey.Refused(reason, evidence.refusals(), words, List.copyOf(refusing)) : null);
    }

    /** What {@link #seen} said last is told. */
    synchronized void told() {
        isNew = false;
        told = telling;
        toldTaken = told.lastSuccess();
    }

    /**
     * Takes what an exchange says.
     *
     * @param refusedNow whether it is refused
     * @param probedEverywhere whether no pool is left whose probe could say that it is about a model
     */
    synchronized void found(boolean refusedNow, boolean probedEverywhere) {
        if (isRefused && !refusedNow) {
            // Another worker had an answer.
            isGood(clock.instant());
        }
        isRefused = refusedNow;
        isProbed = probedEverywhere;
        if (evidence.equals(told)) {
            isHeldBack = false;
        }
        notifyAll();
    }

    /** Waits until it is decided whether a call that was refused just now was an attempt of its cell. */
    synchronized SignalDecision decided(Duration atMost) throws InterruptedException {
        Instant refusedAt = clock.instant();
        Instant until = refusedAt.plus(atMost);
        while (true) {
            Instant now = clock.instant();
            long left = Duration.between(now, until).toNanos();
            // PostgreSQL may be away: then it is held back, and nobody can say that it is refused.
            boolean isProven = (isRefused && isProbed) || (left <= 0 && (isRefused || isHeldBack));
            SignalDecision decision = SignalDecision.of(refusedAt, takenSentAt, isProven, now);
            if (decision != SignalDecision.OPEN || left <= 0) {
                return decision;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}

package dev.assay.activities.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.KeyEvidence;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.store.outage.SeenKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
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

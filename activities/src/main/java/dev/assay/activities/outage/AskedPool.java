package dev.assay.activities.outage;

import dev.assay.activities.model.CallSign;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.OutageSignal;
import dev.assay.domain.limit.outage.PoolWatch;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.domain.limit.outage.WorkerSight;
import dev.assay.store.outage.SeenPool;
import dev.assay.store.outage.StoredOutage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pool that this worker asks: its calls there, and whether the pool is down. */
final class AskedPool {

    /** An answer is told to others so late at most: it is what keeps them from calling the pool down. */
    private static final Duration TOLD_EVERY = Duration.ofSeconds(2);

    /** Before the next exchange says when the next probe is due. */
    private static final Duration PROBED_AGAIN = Duration.ofSeconds(1);

    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    private final ModelPool pool;
    private final InstantSource clock;
    private final PoolWatch watch = new PoolWatch();
    private final List<Instant> sent = new ArrayList<>();
    private Instant used;
    private @Nullable Instant lastAnswer;
    private @Nullable Instant told;
    private boolean isAnswered = true;
    private boolean isToldAnswered = true;
    private boolean isNews = true;
    private String words = "";

    private @Nullable StoredOutage outage;
    private @Nullable Instant probeAt;
    private @Nullable String probing;
    /** What the probe is about; the outage may be another's by its end. */
    private @Nullable StoredOutage probedOutage;
    /** Whether the worker waits for its next exchange before it sends anything. */
    private boolean isHeldBack;

    AskedPool(ModelPool pool, InstantSource clock) {
        this.pool = pool;
        this.clock = clock;
        this.used = clock.instant();
    }

    /** A call is sent now; answers with the time. */
    synchronized Instant begins() {
        used = clock.instant();
        sent.add(used);
        return used;
    }

    /**
     * A call has ended.
     *
     * @return whether that must be told at once
     */
    synchronized boolean ended(String cell, Instant sentAt, CallSign sign, String said) {
        Instant now = clock.instant();
        used = now;
        int inFlight = sent.size();
        sent.remove(sentAt);
        OutageSignal signal = sign.signal();
        if (sign.isAnswer()) {
            watch.answered(cell, now);
            lastAnswer = now;
            isAnswered = true;
        } else if (signal != null && !(signal == OutageSignal.SILENT && hasAnsweredSince(sentAt))) {
            watch.failed(cell, signal, inFlight, now);
            isAnswered = false;
            words = said;
            isHeldBack = isHeldBack || watch.holdsBack();
        } else {
            return false;
        }
        isNews = true;
        notifyAll();
        return isHeldBack;
    }

    private boolean hasAnsweredSince(Instant time) {
        return lastAnswer != null && !lastAnswer.isBefore(time);
    }

    /** Whether the call of {@code cell} probes it. */
    synchronized boolean isProbedBy(String cell) {
        return cell.equals(probing);
    }

    /** Whether all its cells wait, but for one that probes. */
    synchronized boolean isHeld() {
        return outage != null || isHeldBack;
    }

    /** The outage; null: it is not down, as far as is known. */
    synchronized @Nullable StoredOutage outage() {
        return outage;
    }

    /** Whether this worker alone gets no answer. */
    synchronized boolean isCutOff() {
        return outage != null && outage.isCutOff();
    }

    /** Waits until it is decided whether the last call of a cell was an attempt, which ended in a signal. OPEN: not within {@code atMost}. */
    synchronized SignalDecision decided(String cell, Duration atMost) throws InterruptedException {
        if (watch.isFaulty(cell)) {
            return SignalDecision.ATTEMPT;
        }
        Instant signalAt = clock.instant();
        Instant until = signalAt.plus(atMost);
        while (true) {
            Instant now = clock.instant();
            // PostgreSQL may be slow or away: nobody has said yet whether it is down, and it is asked nothing
            // meanwhile.
            boolean isUnheard = isHeldBack && !now.isBefore(signalAt.plus(SignalDecision.LONGEST));
            SignalDecision decision = SignalDecision.of(signalAt, lastAnswer, outage != null || isUnheard, now);
            long left = Duration.between(now, until).toNanos();
            if (decision != SignalDecision.OPEN || left <= 0) {
                return decision;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Whether the pool's next probe is due, and none of this worker is in flight. */
    synchronized boolean isProbeDue() {
        return outage != null
                && probing == null
                && probeAt != null
                && !clock.instant().isBefore(probeAt);
    }

    /** Whether a call of {@code cell} would tell nothing, since it fails by itself. */
    synchronized boolean isFaulty(String cell) {
        return watch.isFaulty(cell);
    }

    synchronized void probes(String cell, StoredOutage about) {
        probing = cell;
        probedOutage = about;
    }

    /** The outage that the call of {@code cell} probes; null: it probes none. */
    synchronized @Nullable StoredOutage probedBy(String cell) {
        return cell.equals(probing) ? probedOutage : null;
    }

    /** No cell of this worker may probe now; the next exchange says when one may. */
    synchronized void probeRefused() {
        probeAt = clock.instant().plus(PROBED_AGAIN);
    }

    /** The probe of {@code cell} is over; the outage that it was about, null where it was none. */
    synchronized @Nullable StoredOutage probed(String cell, CallSign sign) {
        if (!cell.equals(probing)) {
            return null;
        }
        StoredOutage about = outage == null ? null : probedOutage;
        probing = null;
        probeAt = clock.instant().plus(PROBED_AGAIN);
        if (about != null && ends(about, sign)) {
            comesUp();
        }
        return about;
    }

    /** Whether the end of a probe says that an outage is over. */
    static boolean ends(StoredOutage outage, CallSign sign) {
        return outage.ofKey() == null ? sign.isAnswer() : sign.takesKey();
    }

    /** What ended while it was down says nothing of now. */
    private void comesUp() {
        if (outage != null) {
            watch.wentDown();
        }
        outage = null;
        probeAt = null;
        isHeldBack = false;
        notifyAll();
    }

    /** What is to be told of it. */
    synchronized SeenPool seen(String workerId, List<KeyMark> keys) {
        Instant now = clock.instant();
        boolean isDue = told == null || isAnswered != isToldAnswered || !now.isBefore(told.plus(TOLD_EVERY));
        if (outage != null || !isNews || !isDue) {
            return new SeenPool(pool, keys, null, words);
        }
        told = now;
        isToldAnswered = isAnswered;
        isNews = false;
        WorkerSight sight =
                watch.sight(workerId, sent.stream().min(Instant::compareTo).orElse(null), now);
        return new SeenPool(pool, keys, sight, words);
    }

    /**
     * Takes what an exchange says.
     *
     * @param found null: the pool is not down
     * @return whether it went down now
     */
    synchronized boolean found(@Nullable StoredOutage found) {
        boolean wentDown = found != null && outage == null;
        if (found == null) {
            if (probing == null) {
                comesUp();
            }
        } else {
            if (wentDown) {
                watch.wentDown();
            }
            outage = found;
            probeAt = clock.instant().plus(found.untilProbe());
            isHeldBack = false;
        }
        notifyAll();
        return wentDown;
    }

    /** Whether nothing was asked of it for long. */
    synchronized boolean isForgotten() {
        return sent.isEmpty() && outage == null && clock.instant().isAfter(used.plus(FORGOTTEN_AFTER));
    }
}

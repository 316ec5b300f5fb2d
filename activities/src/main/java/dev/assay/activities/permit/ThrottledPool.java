package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.PoolBlock;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.limit.StoredThrottle;
import dev.assay.store.limit.ThrottleReport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A pool that this worker asks: its calls in flight, what is known of it, and what others are to be told. For threads at once. */
final class ThrottledPool {

    private final ModelPool pool;
    private final ConcurrencyRange range;
    /** Whether its settings bound its calls: then its permits are leased, whatever was refused. */
    private final boolean isBounded;

    private final LongSupplier nanoTime;

    private int users;
    private int inFlight;
    /** Calls that were sent when it was not governed: they hold no permit of it. */
    private int strays;
    /** Permits of it that this worker has leased. */
    private int part;
    /** Permits of its provider that this worker has leased, as the last call was sent. */
    private int ofProvider;

    private @Nullable StoredThrottle known;
    private boolean isBlocked;
    private long blockedUntil;

    private final Map<Refusal.Kind, ThrottleReport.Refused> refusals = new EnumMap<>(Refusal.Kind.class);
    private int answers;
    private long answersInFlight;
    private int answersCut;
    private int calmBlock;
    private boolean isCalm;
    private boolean isBack;
    private final boolean learns;
    /** By account, of those of which answers came. */
    private final Map<String, TaughtLimits> taught = new TreeMap<>();

    /** Whether an account of it has limits: its calls need units then. */
    private boolean isLimited;

    ThrottledPool(BoundedCalls calls, boolean isBounded, LongSupplier nanoTime) {
        this.pool = calls.pool();
        this.range = calls.range();
        this.isBounded = isBounded;
        this.nanoTime = nanoTime;
        this.learns = calls.learns();
    }

    /**
     * A call, as it was sent.
     *
     * @param inFlight calls of the pool that were in flight over all workers, as far as it is known
     * @param isStray whether it holds no permit of the pool
     */
    record Sent(int inFlight, int cuts, int blocks, boolean isStray) {}

    ModelPool pool() {
        return pool;
    }

    /** Whether limits are taken from its answers. */
    boolean learns() {
        return learns;
    }

    /** A cell asks it; whether none did before. */
    synchronized boolean use() {
        boolean isFirst = !isAsked();
        users++;
        return isFirst;
    }

    synchronized void left() {
        users--;
    }

    /** Whether cells ask it, or others are to be told of it. */
    synchronized boolean isAsked() {
        return users > 0 || inFlight > 0 || !refusals.isEmpty() || hasNews();
    }

    private boolean hasNews() {
        return taught.values().stream().anyMatch(TaughtLimits::hasNews);
    }

    /** Whether nothing asks it, and nothing of it need be kept in mind. */
    synchronized boolean isForgotten() {
        return !isAsked() && !isBlocked() && (isBounded || !isLeased());
    }

    /** Whether its calls need a permit of it. */
    synchronized boolean isGoverned() {
        return isLeased() || isBlocked();
    }

    /** Whether its permits are shared with other workers: it may have fewer calls in flight than its provider. */
    synchronized boolean isLeased() {
        return isBounded || (known != null && known.calls() < range.max());
    }

    synchronized boolean isBlocked() {
        isBlocked = isBlocked && nanoTime.getAsLong() - blockedUntil < 0;
        return isBlocked;
    }

    /** How long it stays blocked; zero: it is not. */
    synchronized Duration blockedFor() {
        return isBlocked() ? Duration.ofNanos(blockedUntil - nanoTime.getAsLong()) : Duration.ZERO;
    }

    /** Sets the permits that this worker has leased. */
    synchronized void lease(int permits) {
        part = permits;
    }

    synchronized int leased() {
        return part;
    }

    /** Permits that cells may take: those that are leased and not used by strays. */
    synchronized int usable() {
        return isBlocked() ? 0 : Math.max(0, part - strays);
    }

    synchronized int strays() {
        return strays;
    }

    /**
     * A call is sent now.
     *
     * @param leasedOfProvider permits of its provider that this worker has leased
     */
    synchronized Sent begins(boolean isStray, int leasedOfProvider) {
        inFlight++;
        strays += isStray ? 1 : 0;
        ofProvider = leasedOfProvider;
        return new Sent(inFlightOfAll(), known == null ? 0 : known.cuts(), known == null ? 0 : known.blocks(), isStray);
    }

    /** Calls in flight over all workers, as far as it is known. */
    private int inFlightOfAll() {
        return isLeased() ? scaled(calls(), part) : scaled(range.max(), ofProvider);
    }

    private int calls() {
        return known == null ? range.start() : known.calls();
    }

    /** Calls in flight over all workers, where each uses as much of its part of {@code all} as this one. */
    private int scaled(int all, int part) {
        return part <= 0 ? inFlight : (int) Math.min(all, Math.ceilDiv((long) inFlight * all, part));
    }

    /** A call has ended, however. */
    synchronized void ended(Sent sent) {
        inFlight--;
        strays -= sent.isStray() ? 1 : 0;
    }

    /** Whether its calls need units, though no settings say so. */
    synchronized boolean isLimited() {
        return isLimited;
    }

    /** An answer gave limits of an account. */
    synchronized void taught(String account, List<HeaderLimit> limits) {
        of(account).heard(limits, Math.max(0, inFlight - 1));
    }

    private TaughtLimits of(String account) {
        return taught.computeIfAbsent(account, _ -> new TaughtLimits(learns));
    }

    /** The accounts of which answers came. */
    synchronized Set<String> accounts() {
        return Set.copyOf(taught.keySet());
    }

    /** What is to be told of another account than its own: limits that answers said. It is told once, as {@link #report}. */
    synchronized ThrottleReport learned(String account) {
        return new ThrottleReport(List.of(), null, false, of(account).told());
    }

    /** A call was answered with a success, which was sent once. */
    synchronized void answered(Sent sent) {
        if (known != null && known.inRow() > 0 && sent.blocks() == known.blocks()) {
            isCalm = true;
            calmBlock = sent.blocks();
        }
        boolean mayGrow = isLeased() && calls() < range.max();
        if (mayGrow && sent.inFlight() * 5L >= calls() * 4L && (known == null || sent.cuts() == known.cuts())) {
            answersInFlight = sent.cuts() == answersCut ? answersInFlight + sent.inFlight() : sent.inFlight();
            answers = sent.cuts() == answersCut ? answers + 1 : 1;
            answersCut = sent.cuts();
        }
    }

    /**
     * A call was refused, or asked to wait. This worker does not wait for others to say that nothing is to be sent. Calls that were sent
     * after it were in flight with it: the first of a burst knew of none.
     *
     * @return whether others are to be told at once
     */
    synchronized boolean refused(Sent sent, Refusal refusal) {
        PoolRefusal one = new PoolRefusal(
                refusal.kind(),
                refusal.retryAfter(),
                sent.blocks(),
                sent.cuts(),
                Math.max(sent.inFlight(), inFlightOfAll()));
        if (!one.blocks()) {
            return false;
        }
        boolean isNews = refusals.isEmpty();
        refusals.compute(
                refusal.kind(), (_, before) -> before == null ? new ThrottleReport.Refused(one, 1) : before.and(one));
        if (one.asked() != null || !isBlocked()) {
            int row = known == null || sent.blocks() != known.blocks() ? 1 : known.inRow() + 1;
            blockFor(PoolBlock.after(one.asked(), row));
        }
        return isNews;
    }

    private void blockFor(Duration time) {
        long until = nanoTime.getAsLong() + time.toNanos();
        if (!time.isZero() && (!isBlocked() || until - blockedUntil > 0)) {
            isBlocked = true;
            blockedUntil = until;
        }
    }

    /** Its provider was away, and has answered again. */
    synchronized void isBack() {
        isBack = isLeased();
    }

    /** What is to be told. It is told once: what does not arrive is told again with {@link #again}. */
    synchronized ThrottleReport report() {
        ThrottleReport.Answers clean = answers == 0 && !isCalm
                ? null
                : new ThrottleReport.Answers(
                        answers,
                        answers == 0 ? 0 : (int) (answersInFlight / answers),
                        answersCut,
                        isCalm ? calmBlock : -1);
        ThrottleReport report = new ThrottleReport(
                List.copyOf(refusals.values()),
                clean,
                isBack,
                of(pool.account()).told());
        refusals.clear();
        answers = 0;
        answersInFlight = 0;
        isCalm = false;
        isBack = false;
        return report;
    }

    /**
     * Nobody may have heard a report. Refusals are told again, which blocks and cuts once. Answers are not.
     *
     * @param account of which it was told
     */
    synchronized void again(String account, ThrottleReport unheard) {
        of(account).again(unheard.learned());
        for (ThrottleReport.Refused refused : unheard.refusals()) {
            refusals.merge(refused.refusal().kind(), refused, (one, _) -> one);
        }
    }

    /**
     * Takes what others say.
     *
     * @param found null: it has refused nothing
     * @param hasLimits whether an account of it has limits, by the settings or as answers have said
     */
    synchronized void heard(@Nullable StoredThrottle found, boolean hasLimits) {
        known = found;
        isLimited = hasLimits;
        Duration blocked = found == null ? Duration.ZERO : found.blockedFor();
        if (refusals.isEmpty()) {
            isBlocked = false;
        }
        blockFor(blocked);
    }
}

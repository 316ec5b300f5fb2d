package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.limit.StoredThrottle;
import dev.assay.store.limit.ThrottleReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
    private int answers;
    private long answersInFlight;
    private int answersCut;
    private boolean isBack;

    private final boolean learns;
    private final Supplier<List<String>> usable;
    private final Map<String, AccountThrottle> accounts = new TreeMap<>();

    /** Whether its settings have limits: its calls need units, whatever others say. */
    private final boolean isConfigured;
    /** Whether an account of it has limits: its calls need units then. */
    private boolean isLimited;

    /** @param usable the accounts that its provider may be asked with now */
    ThrottledPool(
            BoundedCalls calls,
            boolean isBounded,
            boolean isConfigured,
            Supplier<List<String>> usable,
            LongSupplier nanoTime) {
        this.pool = calls.pool();
        this.range = calls.range();
        this.isBounded = isBounded;
        this.isConfigured = isConfigured;
        this.usable = usable;
        this.nanoTime = nanoTime;
        this.learns = calls.learns();
    }

    /**
     * A call, as it was sent.
     *
     * @param inFlight calls of the pool that were in flight over all workers, as far as it is known
     * @param isStray whether it holds no permit of the pool
     */
    record Sent(int inFlight, int cuts, boolean isStray) {}

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
        return users > 0 || inFlight > 0 || accounts.values().stream().anyMatch(AccountThrottle::hasNews);
    }

    /** Whether nothing asks it, and nothing of it need be kept in mind. */
    synchronized boolean isForgotten() {
        return !isAsked() && !isSomeBlocked() && (isBounded || !isLeased());
    }

    /** Whether its calls need a permit of it. */
    synchronized boolean isGoverned() {
        return isLeased() || isBlocked();
    }

    /** Whether its permits are shared with other workers: it may have fewer calls in flight than its provider. */
    synchronized boolean isLeased() {
        return isBounded || (known != null && known.calls() < range.max());
    }

    /** Whether nothing may be sent, with whatever account. */
    synchronized boolean isBlocked() {
        return isSomeBlocked() && usable.get().stream().allMatch(this::isBlocked);
    }

    private boolean isSomeBlocked() {
        return accounts.values().stream().anyMatch(AccountThrottle::isBlocked);
    }

    private boolean isBlocked(String account) {
        AccountThrottle throttle = accounts.get(account);
        return throttle != null && throttle.isBlocked();
    }

    /** The accounts with which nothing may be sent. */
    synchronized Set<String> blocked() {
        return accounts.keySet().stream().filter(this::isBlocked).collect(Collectors.toUnmodifiableSet());
    }

    /** Its calls that were sent and not answered yet. */
    synchronized int inFlight() {
        return inFlight;
    }

    /** How long it takes until an account is blocked no longer; zero: none is. */
    synchronized Duration blockedFor() {
        return accounts.values().stream()
                .map(AccountThrottle::blockedFor)
                .filter(Duration::isPositive)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** How often an account was blocked, as far as it is known. */
    synchronized int blocks(String account) {
        return of(account).blocks();
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
        return new Sent(inFlightOfAll(), known == null ? 0 : known.cuts(), isStray);
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

    /** Whether its calls need no units. */
    synchronized boolean isFree() {
        return !isLimited && !isConfigured;
    }

    /** An answer gave limits of an account. */
    synchronized void taught(String account, List<HeaderLimit> limits) {
        of(account).taught().heard(limits, Math.max(0, inFlight - 1));
    }

    private AccountThrottle of(String account) {
        return accounts.computeIfAbsent(account, _ -> new AccountThrottle(learns, nanoTime));
    }

    /** A call of an account was answered with a success, which was sent once, after so many blocks. */
    synchronized void answered(Sent sent, String account, int blocksThen) {
        of(account).answered(blocksThen);
        boolean mayGrow = isLeased() && calls() < (known == null ? range.max() : known.most());
        if (mayGrow && sent.inFlight() * 5L >= calls() * 4L && (known == null || sent.cuts() == known.cuts())) {
            answersInFlight = sent.cuts() == answersCut ? answersInFlight + sent.inFlight() : sent.inFlight();
            answers = sent.cuts() == answersCut ? answers + 1 : 1;
            answersCut = sent.cuts();
        }
    }

    /**
     * A call of an account was refused, or asked to wait. Calls that were sent after it were in flight with it: the first of a burst knew of
     * none.
     *
     * @param blocksThen how often the account had been blocked as the call was sent
     * @return whether others are to be told at once
     */
    synchronized boolean refused(Sent sent, String account, int blocksThen, Refusal refusal) {
        PoolRefusal one = new PoolRefusal(
                refusal.kind(),
                refusal.retryAfter(),
                blocksThen,
                sent.cuts(),
                Math.max(sent.inFlight(), inFlightOfAll()));
        return one.blocks() && of(account).refused(one);
    }

    /** Its provider was away, and has answered again. */
    synchronized void isBack() {
        isBack = isLeased();
    }

    /** What is to be told of each account. It is told once: what does not arrive is told again with {@link #again}. */
    synchronized Map<ModelPool, ThrottleReport> reports() {
        usable.get().forEach(this::of);
        Map<ModelPool, ThrottleReport> reports = new HashMap<>();
        accounts.forEach((account, throttle) -> reports.put(pool.ofAccount(account), throttle.report()));
        reports.compute(pool, (_, own) -> (own == null ? ThrottleReport.NONE : own).with(clean(), isBack));
        answers = 0;
        answersInFlight = 0;
        isBack = false;
        return reports;
    }

    /** Clean answers since the last report; null: there were none. */
    private ThrottleReport.@Nullable Answers clean() {
        return answers == 0
                ? null
                : new ThrottleReport.Answers(
                        answers, (int) (answersInFlight / answers), answersCut, ThrottleReport.Answers.NOT_CALM);
    }

    /** Nobody may have heard what was told of an account. Refusals are told again, which blocks and cuts once. Answers are not. */
    synchronized void again(String account, ThrottleReport unheard) {
        of(account).again(unheard);
    }

    /**
     * Takes what others say.
     *
     * @param found what is on record of the group, by account; that of no account has its calls
     * @param hasLimits whether an account of it has limits, by the settings or as answers have said
     */
    synchronized void heard(Map<String, StoredThrottle> found, boolean hasLimits) {
        known = found.get(pool.account());
        isLimited = hasLimits;
        found.keySet().forEach(this::of);
        accounts.forEach((account, throttle) -> throttle.heard(found.get(account)));
    }
}

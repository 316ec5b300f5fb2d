package dev.assay.activities.permit;

import dev.assay.domain.limit.answer.PoolBlock;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.store.limit.StoredThrottle;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleReport.Answers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An account of a group of models: until when it is blocked, and what others are to be told of it. For one thread at a time. */
final class AccountThrottle {

    private final LongSupplier nanoTime;
    private final TaughtLimits taught;

    private @Nullable StoredThrottle known;
    private boolean isBlocked;
    private long blockedUntil;

    private final Map<Refusal.Kind, ThrottleReport.Refused> refusals = new EnumMap<>(Refusal.Kind.class);
    private int calmBlock = Answers.NOT_CALM;

    AccountThrottle(boolean learns, LongSupplier nanoTime) {
        this.taught = new TaughtLimits(learns);
        this.nanoTime = nanoTime;
    }

    TaughtLimits taught() {
        return taught;
    }

    /** Whether others must be told of it. */
    boolean hasNews() {
        return !refusals.isEmpty() || taught.hasNews();
    }

    boolean isBlocked() {
        isBlocked = isBlocked && nanoTime.getAsLong() - blockedUntil < 0;
        return isBlocked;
    }

    /** How long it stays blocked; zero: it is not. */
    Duration blockedFor() {
        return isBlocked() ? Duration.ofNanos(blockedUntil - nanoTime.getAsLong()) : Duration.ZERO;
    }

    /** How often it was blocked, as far as it is known. */
    int blocks() {
        return known == null ? 0 : known.blocks();
    }

    /** A call was answered with a success, that was sent when it had been blocked so often. */
    void answered(int blocksThen) {
        if (known != null && known.inRow() > 0 && blocksThen == known.blocks()) {
            calmBlock = blocksThen;
        }
    }

    /** Keeps a refusal in mind; whether others are to be told at once. This worker does not wait for others to say that nothing is to be sent. */
    boolean refused(PoolRefusal one) {
        boolean isNews = refusals.isEmpty();
        refusals.compute(
                one.kind(), (_, before) -> before == null ? new ThrottleReport.Refused(one, 1) : before.and(one));
        if (one.asked() != null || !isBlocked()) {
            int row = known == null || one.blocksThen() != known.blocks() ? 1 : known.inRow() + 1;
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

    /** What is to be told. It is told once: what does not arrive is told again with {@link #again}. */
    ThrottleReport report() {
        Answers calm = calmBlock == Answers.NOT_CALM ? null : new Answers(0, 0, 0, calmBlock);
        ThrottleReport report = new ThrottleReport(List.copyOf(refusals.values()), calm, false, taught.told());
        refusals.clear();
        calmBlock = Answers.NOT_CALM;
        return report;
    }

    /** Nobody may have heard a report. Refusals are told again, which blocks once. */
    void again(ThrottleReport unheard) {
        taught.again(unheard.learned());
        for (ThrottleReport.Refused refused : unheard.refusals()) {
            refusals.merge(refused.refusal().kind(), refused, (one, _) -> one);
        }
    }

    /** Takes what others say; null: it has refused nothing. */
    void heard(@Nullable StoredThrottle found) {
        known = found;
        if (refusals.isEmpty()) {
            isBlocked = false;
        }
        blockFor(found == null ? Duration.ZERO : found.blockedFor());
    }
}

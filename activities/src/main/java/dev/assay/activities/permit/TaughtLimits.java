package dev.assay.activities.permit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitUnit;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.LearnedLimits;
import dev.assay.store.limit.ThrottleReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The limits that answers of a pool have taught this worker, and those that others are to be told. For one thread at a time. */
final class TaughtLimits {

    private final boolean learns;
    private LearnedLimits known = LearnedLimits.NONE;
    private final Map<LimitKind, ThrottleReport.Learned> news = new EnumMap<>(LimitKind.class);

    /** @param learns whether limits are taken from answers */
    TaughtLimits(boolean learns) {
        this.learns = learns;
    }

    /**
     * An answer gave limits.
     *
     * @param inFlight other calls of the pool that are in flight: the provider may not have counted them yet
     */
    void heard(List<HeaderLimit> limits, int inFlight) {
        if (!learns || limits.isEmpty()) {
            return;
        }
        LearnedLimits after = known.after(limits);
        for (HeaderLimit said : limits) {
            Long inForce = after.inForce().get(said.kind());
            if (inForce != null && !inForce.equals(known.inForce().get(said.kind()))) {
                Long remaining = said.remaining();
                long used = remaining == null ? 0 : Math.max(0, said.limit() - remaining);
                long more = said.kind().unit() == LimitUnit.REQUESTS ? inFlight : 0;
                news.put(said.kind(), new ThrottleReport.Learned(said.kind(), inForce, used + more));
            }
        }
        known = after;
    }

    boolean hasNews() {
        return !news.isEmpty();
    }

    /** What others are to be told; it is told once. */
    List<ThrottleReport.Learned> told() {
        List<ThrottleReport.Learned> told = List.copyOf(news.values());
        news.clear();
        return told;
    }

    /** Nobody may have heard it. */
    void again(List<ThrottleReport.Learned> unheard) {
        unheard.forEach(one -> news.putIfAbsent(one.kind(), one));
    }
}

package dev.assay.store.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pool that is down, for all workers or for one.
 *
 * @param workerId the only worker that gets no answer; null: none gets one
 * @param age how long that is, by PostgreSQL's clock
 * @param signal what the last failed call said
 * @param untilProbe until it may be probed, at least 0
 * @param hasOtherWorkers whether other workers live, which may get an answer; they need not ask the pool yet
 * @param ofKey the key that is refused; null: it is not about a key
 */
public record StoredOutage(
        ModelPool pool,
        @Nullable String workerId,
        Reason reason,
        Instant since,
        Duration age,
        String signal,
        Duration untilProbe,
        boolean hasOtherWorkers,
        @Nullable OfKey ofKey) {

    /**
     * The key that is refused.
     *
     * @param hasOther whether another live worker has another key of the provider, which is not refused
     * @param isProbed whether no pool is left whose probe could say that the refusal is about a model
     * @param isProbedBeside whether it is probed when its time has come although other keys go on
     */
    public record OfKey(String id, boolean hasOther, boolean isProbed, boolean isProbedBeside) {}

    /** The same, which is no older than another: its pool went down when the last of its keys was refused. */
    public StoredOutage noOlderThan(StoredOutage other) {
        return age.compareTo(other.age) <= 0
                ? this
                : new StoredOutage(
                        pool, workerId, reason, other.since, other.age, signal, untilProbe, hasOtherWorkers, ofKey);
    }

    /** Whether it is {@code key} that is refused. */
    public boolean isOf(KeyMark key) {
        return ofKey != null && ofKey.id().equals(key.id()) && pool.provider().equals(key.provider());
    }

    /** Whether others may get an answer. */
    public boolean isForOthers() {
        return ofKey == null ? hasOtherWorkers : ofKey.hasOther();
    }

    /** Whether this worker gets no answer while others do. */
    public boolean isCutOff() {
        return ofKey == null ? workerId != null : ofKey.hasOther();
    }
}

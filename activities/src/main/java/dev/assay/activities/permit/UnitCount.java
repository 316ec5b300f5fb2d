package dev.assay.activities.permit;

import dev.assay.domain.limit.LimitKind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The units that this worker was charged since it started, without those that came back. */
final class UnitCount {

    private final Map<Key, Count> counts = new ConcurrentHashMap<>();

    private record Key(String provider, LimitKind kind) {}

    /** @param most the largest sum until now: units that come back are no fall of a counter */
    private record Count(long sum, long most) {

        private Count plus(long units) {
            return new Count(sum + units, Math.max(most, sum + units));
        }
    }

    /** @param units negative: they came back */
    void add(String provider, LimitKind kind, long units) {
        if (units != 0) {
            counts.merge(new Key(provider, kind), new Count(0, 0).plus(units), (count, _) -> count.plus(units));
        }
    }

    /** Units of a limit of all pools of a provider. It never falls: what comes back is taken off what is charged next. */
    long of(String provider, LimitKind kind) {
        Count count = counts.get(new Key(provider, kind));
        return count == null ? 0 : count.most();
    }
}

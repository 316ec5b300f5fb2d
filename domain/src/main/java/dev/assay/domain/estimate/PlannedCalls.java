package dev.assay.domain.estimate;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.PoolWork;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a model that a branch or the judges make.
 *
 * @param who the branch's id, or the judges
 * @param pool the provider and the group of its models, for people
 * @param accounts how many share the calls, at least 1
 * @param limits units a period that are known of the group, for each of them
 * @param perTrial calls of a case in each trial
 * @param ofOne tokens of a call, as far as they are known
 * @param seconds of a call; null: not known
 */
record PlannedCalls(
        String who,
        String pool,
        int accounts,
        Map<LimitKind, Long> limits,
        int perTrial,
        Usage ofOne,
        @Nullable Double seconds) {

    PlannedCalls {
        limits = Map.copyOf(limits);
    }

    /** @param provider null: nothing is known of it */
    static PlannedCalls of(
            String who, String model, String name, @Nullable ProviderInfo provider, int perTrial, Usage ofOne) {
        LimitsInfo group = provider == null ? null : provider.limitsOf(model);
        return new PlannedCalls(
                who,
                name + "/" + (group == null ? model : group.models()),
                provider == null ? 1 : provider.accounts(),
                group == null ? Map.of() : group.known(),
                perTrial,
                ofOne,
                null);
    }

    /** The same, with what a call took in an earlier campaign. */
    PlannedCalls recorded(RecordedUse use) {
        return new PlannedCalls(who, pool, accounts, limits, perTrial, use.ofOne(), use.seconds());
    }

    /** What they take of their pool. */
    PoolWork work(long trials) {
        long calls = trials * perTrial;
        return new PoolWork(
                pool, accounts, calls, calls * orZero(ofOne.input()), calls * orZero(ofOne.output()), seconds, limits);
    }

    static long orZero(@Nullable Long tokens) {
        return tokens == null ? 0 : tokens;
    }
}

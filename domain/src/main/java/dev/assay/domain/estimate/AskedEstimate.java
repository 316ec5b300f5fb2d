package dev.assay.domain.estimate;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The estimate of one call of a branch or of the judges. The names are those of its JSON.
 *
 * @param who the branch's id; {@code judges} for all judges
 * @param callsPerTrial of a case: 1 for a branch
 * @param from the earlier campaign, for {@link Basis#RECORDED}; else null
 * @param tokens of a call, input and output together; null: not known
 * @param costUsd of a call, at today's price of the way in which it goes, in US dollars; null: not known
 */
public record AskedEstimate(
        String who,
        int callsPerTrial,
        Basis basis,
        @Nullable String from,
        @Nullable Long tokens,
        @Nullable BigDecimal costUsd) {

    private static final int COST_DIGITS = 9;

    /** The source of numbers. */
    public enum Basis {
        /** The mean of an earlier campaign that asked the same model. */
        @JsonProperty("recorded")
        RECORDED,
        /** At most this: the estimated input and the whole output that the limits allow. */
        @JsonProperty("limits")
        LIMITS,
        /** Nothing is paid: answers are recorded or scripted. */
        @JsonProperty("free")
        FREE,
        /** Unknown: tools, thinking or custom strategies make as many calls, or use as much, as they like. */
        @JsonProperty("unknown")
        UNKNOWN
    }

    static AskedEstimate recorded(String who, int calls, RecordedUse use, @Nullable Price price) {
        BigDecimal all = price == null ? null : price.costUsd(use.usage());
        BigDecimal cost = all == null
                ? null
                : all.divide(BigDecimal.valueOf(use.calls()), COST_DIGITS, RoundingMode.HALF_UP)
                        .stripTrailingZeros();
        Long total = use.usage().total();
        Long tokens = total == null ? null : (Long) Math.round((double) total / use.calls());
        return new AskedEstimate(who, calls, Basis.RECORDED, use.campaignId(), tokens, cost);
    }

    static AskedEstimate limited(String who, int calls, Usage most, @Nullable Price price) {
        BigDecimal cost = price == null ? null : price.costUsd(most);
        return new AskedEstimate(
                who, calls, Basis.LIMITS, null, most.total(), cost == null ? null : cost.stripTrailingZeros());
    }

    static AskedEstimate free(String who, int calls) {
        return new AskedEstimate(who, calls, Basis.FREE, null, null, BigDecimal.ZERO);
    }

    static AskedEstimate unknown(String who, int calls) {
        return new AskedEstimate(who, calls, Basis.UNKNOWN, null, null, null);
    }

    /** The same with a bound of the cost of each call; null: none. */
    AskedEstimate atMost(@Nullable BigDecimal limit) {
        if (limit == null || basis == Basis.FREE || (costUsd != null && costUsd.compareTo(limit) <= 0)) {
            return this;
        }
        return new AskedEstimate(who, callsPerTrial, Basis.LIMITS, from, tokens, limit);
    }

    static @Nullable Price price(@Nullable ProviderInfo provider, String model) {
        return provider == null ? null : provider.price(model);
    }
}

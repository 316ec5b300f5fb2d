package dev.assay.store.result;

import io.micronaut.core.annotation.Introspected;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The spend of a campaign by its ledger, in US dollars.
 *
 * @param settledUsd what answered and failed requests cost; null where no price is known
 * @param reservedUsd worst case of the requests in flight; null where no price is known
 * @param unknownUsd worst case of requests whose worker died; null where no price is known
 */
@Introspected
public record LedgerTotals(
        @Nullable BigDecimal settledUsd,
        @Nullable BigDecimal reservedUsd,
        @Nullable BigDecimal unknownUsd,
        long requests,
        long unknownRequests) {

    /** Nothing was asked yet. */
    public static final LedgerTotals NONE = new LedgerTotals(null, null, null, 0, 0);
}

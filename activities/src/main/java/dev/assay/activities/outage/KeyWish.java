package dev.assay.activities.outage;

import dev.assay.activities.permit.Permits;
import dev.assay.activities.permit.TakenUnits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a request may take.
 *
 * @param account of which it has units; null: of none
 * @param without names of keys that it does not take where there are others
 * @param blocked accounts that refuse calls for now: it takes no key of them
 */
public record KeyWish(@Nullable String account, Set<String> without, Set<String> blocked) {

    /** The wish of a request that has a permit. */
    public static KeyWish of(Permits.Permit permit, Set<String> without) {
        TakenUnits units = permit.units();
        return new KeyWish(units == null ? null : units.account(), without, permit.blockedAccounts());
    }
}

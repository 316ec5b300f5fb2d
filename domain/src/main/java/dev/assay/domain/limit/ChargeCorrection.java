package dev.assay.domain.limit;

/**
 * A change of what was charged to a slot of a limit. Its parts are not summed up: what is returned to a slot that counts no more is
 * gone, and what is owed there counts now.
 *
 * @param slot the number of the slot in which the charge was made; {@link #NOW}: there was none
 * @param returned units that were charged and not used, at least 0
 * @param owed units that were used and not charged, at least 0
 */
public record ChargeCorrection(LimitKind kind, long slot, long returned, long owed) {

    /** The slot of what is charged only now. */
    public static final long NOW = Long.MAX_VALUE;

    public ChargeCorrection {
        if (Math.min(returned, owed) < 0) {
            throw new IllegalArgumentException("Units are not negative");
        }
    }

    /** Both together. */
    public ChargeCorrection and(ChargeCorrection more) {
        return new ChargeCorrection(
                kind, slot, Math.min(Units.MOST, returned + more.returned), Math.min(Units.MOST, owed + more.owed));
    }

    Spending appliedTo(Spending spending) {
        Spending owing = owed == 0 ? spending : spending.reported(slot, Math.min(owed, Units.MOST));
        return returned == 0 ? owing : owing.returned(slot, Math.min(returned, Units.MOST));
    }
}

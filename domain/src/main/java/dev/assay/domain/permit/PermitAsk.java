package dev.assay.domain.permit;

/**
 * The request of a worker to a pool.
 *
 * @param held permits that it holds, used or not, at least 0
 * @param wish permits that it could use now
 */
public record PermitAsk(int held, PermitWish wish) {

    /** The request of a worker that neither holds nor wants anything. */
    public static final PermitAsk NOTHING = new PermitAsk(0, PermitWish.NONE);

    public PermitAsk {
        if (held < 0) {
            throw new IllegalArgumentException("Permits are not negative: held " + held);
        }
    }
}

package dev.assay.domain.permit;

/**
 * Permits of a pool that a worker could use, the ones in use included.
 *
 * @param wanted for all its cells, at least 0
 * @param urgent of these for cells of evaluations, at least 0
 */
public record PermitWish(int wanted, int urgent) {

    /** Of a worker that needs none. */
    public static final PermitWish NONE = new PermitWish(0, 0);

    public PermitWish {
        if (urgent < 0 || wanted < urgent) {
            throw new IllegalArgumentException(
                    "Urgent permits are some of those that are wanted: wanted " + wanted + ", urgent " + urgent);
        }
    }

    /** Permits for cells of campaigns. */
    int patient() {
        return wanted - urgent;
    }
}

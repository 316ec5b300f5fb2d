package dev.assay.domain.permit;

/**
 * What a worker says of a pool.
 *
 * @param held permits that it holds, used or not, at least 0
 * @param wanted permits that it could use now, the ones in use included, at least 0
 */
public record PermitAsk(int held, int wanted) {

    public PermitAsk {
        if (held < 0 || wanted < 0) {
            throw new IllegalArgumentException("Permits are not negative: held " + held + ", wanted " + wanted);
        }
    }
}

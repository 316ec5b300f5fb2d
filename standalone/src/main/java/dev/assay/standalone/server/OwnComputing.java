package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;

/** The compute processes of this process; none is started before there is something to compute. */
final class OwnComputing {

    private OwnComputing() {}

    /**
     * The pool that the environment describes.
     *
     * @throws AssayException INVALID_INPUT when a variable of it has no number in its bounds
     */
    static ComputePool create() {
        try {
            return new ComputePool(ComputeSettings.of(System.getenv()));
        } catch (IllegalArgumentException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, String.valueOf(e.getMessage()), e);
        }
    }
}

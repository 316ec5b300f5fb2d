package dev.assay.work.compute.pool;

import java.io.IOException;

/** A compute process said what none says. */
final class LieException extends IOException {

    private static final long serialVersionUID = 1L;

    LieException(String what, Throwable cause) {
        super(what, cause);
    }

    LieException(String what) {
        super(what);
    }
}

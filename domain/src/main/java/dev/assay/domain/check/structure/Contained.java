package dev.assay.domain.check.structure;

import dev.assay.domain.document.FieldReader;
import org.jspecify.annotations.Nullable;

/** The field {@code contains}: whether it is enough that a response contains the wanted form. */
final class Contained {

    private Contained() {}

    /** True, or null where the whole response is meant. */
    static @Nullable Boolean read(FieldReader fields) {
        return fields.flag("contains", false) ? true : null;
    }
}

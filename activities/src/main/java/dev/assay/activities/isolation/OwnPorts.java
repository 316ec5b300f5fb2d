package dev.assay.activities.isolation;

import java.util.Set;

/** The TCP ports of this installation on this machine, which programs must not reach. */
@FunctionalInterface
public interface OwnPorts {

    /** Where nothing is known of an installation. */
    OwnPorts NONE = Set::of;

    /** The ports now; they change when a part starts anew. */
    Set<Integer> now();
}

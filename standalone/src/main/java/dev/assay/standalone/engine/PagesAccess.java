package dev.assay.standalone.engine;

import dev.assay.domain.access.LocalDoor;
import java.util.Set;

/**
 * The access to Temporal's pages.
 *
 * @param door the rule of who may ask for them
 * @param evenOpen whether there are pages where every page of a browser could find them, too: a machine that has only 127.0.0.1
 */
public record PagesAccess(LocalDoor door, boolean evenOpen) {

    /** Names of loopback, and no pages that others could find. */
    public static final PagesAccess LOCAL = new PagesAccess(new LocalDoor(Set.of()), false);
}

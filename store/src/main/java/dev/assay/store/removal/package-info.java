/** Removes campaigns with all that is their own, in pieces, and leaves what others share. */
@NullMarked
package dev.assay.store.removal;

import org.jspecify.annotations.NullMarked;

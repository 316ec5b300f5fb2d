/** The removal of campaigns with all that is their own, in pieces, without what others share. */
@NullMarked
package dev.assay.store.removal;

import org.jspecify.annotations.NullMarked;

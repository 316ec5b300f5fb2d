/** Campaigns and their branches. */
@NullMarked
package dev.assay.store.campaign;

import org.jspecify.annotations.NullMarked;

/** Batches of providers over HTTP. */
@NullMarked
package dev.assay.web.delivery;

import org.jspecify.annotations.NullMarked;

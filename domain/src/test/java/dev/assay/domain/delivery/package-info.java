/** Tests of the rules of provider batches. */
@NullMarked
package dev.assay.domain.delivery;

import org.jspecify.annotations.NullMarked;

/** Tests of estimates. */
@NullMarked
package dev.assay.domain.estimate;

import org.jspecify.annotations.NullMarked;

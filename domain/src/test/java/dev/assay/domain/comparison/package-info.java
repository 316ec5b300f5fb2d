/** Tests of comparisons. */
@NullMarked
package dev.assay.domain.comparison;

import org.jspecify.annotations.NullMarked;

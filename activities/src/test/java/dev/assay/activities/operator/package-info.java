/** Tests of {@code dev.assay.activities.operator}. */
@NullMarked
package dev.assay.activities.operator;

import org.jspecify.annotations.NullMarked;

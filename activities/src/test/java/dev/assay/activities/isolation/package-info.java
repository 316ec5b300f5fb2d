/** Tests of {@code dev.assay.activities.isolation}. */
@NullMarked
package dev.assay.activities.isolation;

import org.jspecify.annotations.NullMarked;

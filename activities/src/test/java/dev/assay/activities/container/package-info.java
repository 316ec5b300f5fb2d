/** Tests of {@code dev.assay.activities.container}. */
@NullMarked
package dev.assay.activities.container;

import org.jspecify.annotations.NullMarked;

/** Isolation of programs from this worker and from each other: levels, walls, users, limits, and the end of what is left. */
@NullMarked
package dev.assay.activities.isolation;

import org.jspecify.annotations.NullMarked;

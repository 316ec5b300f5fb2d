/** Walls that the kernel puts around one thread and what it starts: Landlock, on Linux. */
@NullMarked
package dev.assay.work.confine;

import org.jspecify.annotations.NullMarked;

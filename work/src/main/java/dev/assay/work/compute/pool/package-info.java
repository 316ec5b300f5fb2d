/** The pool of compute processes: it starts them, shares them among campaigns, and kills them past their limits. */
@NullMarked
package dev.assay.work.compute.pool;

import org.jspecify.annotations.NullMarked;

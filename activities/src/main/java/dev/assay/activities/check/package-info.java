/** The evaluation of checks, in place or in a compute process. */
@NullMarked
package dev.assay.activities.check;

import org.jspecify.annotations.NullMarked;

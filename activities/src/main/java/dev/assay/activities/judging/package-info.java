/** The calls of judges: each is a cell of its own. */
@NullMarked
package dev.assay.activities.judging;

import org.jspecify.annotations.NullMarked;

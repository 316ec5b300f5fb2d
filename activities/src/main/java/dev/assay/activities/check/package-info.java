/** Evaluates checks where a worker computes. */
@NullMarked
package dev.assay.activities.check;

import org.jspecify.annotations.NullMarked;

/** The evaluation of checks on the worker's pool for computing. */
@NullMarked
package dev.assay.activities.check;

import org.jspecify.annotations.NullMarked;

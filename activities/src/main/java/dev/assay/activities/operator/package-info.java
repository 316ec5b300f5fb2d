/** The operator's configuration of a worker: its files, and where they are. */
@NullMarked
package dev.assay.activities.operator;

import org.jspecify.annotations.NullMarked;

/** The process that runs cells: its task queues, its lease, and its watch over epochs and limits. */
@NullMarked
package dev.assay.activities.worker;

import org.jspecify.annotations.NullMarked;

/** Reading the results of campaigns: counters, outcomes with their transcripts, selections, cost. */
@NullMarked
package dev.assay.store.result;

import org.jspecify.annotations.NullMarked;

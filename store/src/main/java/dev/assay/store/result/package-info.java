/** Reading what campaigns produced: counters, outcomes with their transcripts, selections, what it cost. */
@NullMarked
package dev.assay.store.result;

import org.jspecify.annotations.NullMarked;

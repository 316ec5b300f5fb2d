/** Evaluations, their sessions and their events. */
@NullMarked
package dev.assay.store.evaluation;

import org.jspecify.annotations.NullMarked;

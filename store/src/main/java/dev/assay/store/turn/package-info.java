/** Turns of agent loops in progress. They are written by {@link dev.assay.store.journal.RunJournal}. */
@NullMarked
package dev.assay.store.turn;

import org.jspecify.annotations.NullMarked;

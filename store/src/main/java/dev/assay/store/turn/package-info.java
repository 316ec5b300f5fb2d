/** Turns of agent loops that are under way. They are written by {@link dev.assay.store.journal.RunJournal}. */
@NullMarked
package dev.assay.store.turn;

import org.jspecify.annotations.NullMarked;

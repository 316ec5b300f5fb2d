/** Turns on record, on PostgreSQL. */
@NullMarked
package dev.assay.store.turn;

import org.jspecify.annotations.NullMarked;

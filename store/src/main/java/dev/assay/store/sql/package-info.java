/** Plain SQL with parameters on the connection of the current transaction, and reading of columns that many tables share. */
@NullMarked
package dev.assay.store.sql;

import org.jspecify.annotations.NullMarked;

/** Access to PostgreSQL: transactions, and what the repositories share. */
@NullMarked
package dev.assay.store;

import org.jspecify.annotations.NullMarked;

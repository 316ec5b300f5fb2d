/** The return of PostgreSQL to an earlier state: how it is noticed, and what campaigns lost. */
@NullMarked
package dev.assay.store.restore;

import org.jspecify.annotations.NullMarked;

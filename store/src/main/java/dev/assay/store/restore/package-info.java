/** Notices that PostgreSQL went back to an earlier state, and what campaigns lost by it. */
@NullMarked
package dev.assay.store.restore;

import org.jspecify.annotations.NullMarked;

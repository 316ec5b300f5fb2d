/** Notices that PostgreSQL went back to an earlier state, and records what campaigns lost. */
@NullMarked
package dev.assay.store.restore;

import org.jspecify.annotations.NullMarked;

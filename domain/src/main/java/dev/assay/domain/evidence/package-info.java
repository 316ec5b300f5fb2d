/**
 * The evidence of campaigns: which draw of a cell counts, which errors, which trials are unknown. It is decided here once. Every
 * rate, verdict, comparison and forecast reads it, and no outcomes. Pure.
 */
@NullMarked
package dev.assay.domain.evidence;

import org.jspecify.annotations.NullMarked;

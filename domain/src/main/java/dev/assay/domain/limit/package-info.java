/** Limits of a provider: what was spent of each, who may spend next, and which key and pool a call belongs to. */
@NullMarked
package dev.assay.domain.limit;

import org.jspecify.annotations.NullMarked;

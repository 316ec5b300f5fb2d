/** Campaigns: their definition, branches, limits and states. */
@NullMarked
package dev.assay.domain.campaign;

import org.jspecify.annotations.NullMarked;

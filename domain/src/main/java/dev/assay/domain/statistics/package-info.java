/** Statistics that judges need: how far they agree, and how strong the branches are that they compared. Pure formulas. */
@NullMarked
package dev.assay.domain.statistics;

import org.jspecify.annotations.NullMarked;

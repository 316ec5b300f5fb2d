/** The selection of the winners of trials: by rule, by judges, by strategies of plugins. */
@NullMarked
package dev.assay.activities.selection;

import org.jspecify.annotations.NullMarked;

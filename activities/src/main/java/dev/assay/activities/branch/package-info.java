/** The run of a branch's cells: agent loop, checks, outcome. */
@NullMarked
package dev.assay.activities.branch;

import org.jspecify.annotations.NullMarked;

/** Runs the cells of branches: agent loop, checks, outcome. */
@NullMarked
package dev.assay.activities.branch;

import org.jspecify.annotations.NullMarked;

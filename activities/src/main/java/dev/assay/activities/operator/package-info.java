/** What the operator of a worker configures: its files, and where they are. */
@NullMarked
package dev.assay.activities.operator;

import org.jspecify.annotations.NullMarked;

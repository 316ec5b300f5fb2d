/** Tests of comparisons and plans from the command line. */
@NullMarked
package dev.assay.cli.command.comparison;

import org.jspecify.annotations.NullMarked;

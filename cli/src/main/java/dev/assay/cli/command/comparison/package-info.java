/** The command that compares what has ended. */
@NullMarked
package dev.assay.cli.command.comparison;

import org.jspecify.annotations.NullMarked;

/** The command that compares campaigns that have ended. */
@NullMarked
package dev.assay.cli.command.comparison;

import org.jspecify.annotations.NullMarked;

/** The command that deletes campaigns. */
@NullMarked
package dev.assay.cli.command.deletion;

import org.jspecify.annotations.NullMarked;

/** The command that scores hypotheses. */
@NullMarked
package dev.assay.cli.command.hypothesis;

import org.jspecify.annotations.NullMarked;

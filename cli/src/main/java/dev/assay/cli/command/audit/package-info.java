/** The command that prints the audit. */
@NullMarked
package dev.assay.cli.command.audit;

import org.jspecify.annotations.NullMarked;

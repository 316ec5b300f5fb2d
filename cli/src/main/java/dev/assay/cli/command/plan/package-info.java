/** The command that says what a campaign would take and could show. */
@NullMarked
package dev.assay.cli.command.plan;

import org.jspecify.annotations.NullMarked;

/** The command that shows what a campaign would cost and could show. */
@NullMarked
package dev.assay.cli.command.plan;

import org.jspecify.annotations.NullMarked;

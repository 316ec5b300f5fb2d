/** Commands that take results in from other tools, and give results out to them. */
@NullMarked
package dev.assay.cli.command.results;

import org.jspecify.annotations.NullMarked;

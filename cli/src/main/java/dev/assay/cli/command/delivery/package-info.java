/** Commands for batches of providers. */
@NullMarked
package dev.assay.cli.command.delivery;

import org.jspecify.annotations.NullMarked;

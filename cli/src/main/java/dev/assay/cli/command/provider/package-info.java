/** Commands about providers: their limits and their keys. */
@NullMarked
package dev.assay.cli.command.provider;

import org.jspecify.annotations.NullMarked;

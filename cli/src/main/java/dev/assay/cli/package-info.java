/** The {@code assay} command: its entry point and what all commands share. */
@NullMarked
package dev.assay.cli;

import org.jspecify.annotations.NullMarked;

/** The terminal of a command: whether a person looks on, what Ctrl-C does, errors and exit codes. */
@NullMarked
package dev.assay.cli.terminal;

import org.jspecify.annotations.NullMarked;

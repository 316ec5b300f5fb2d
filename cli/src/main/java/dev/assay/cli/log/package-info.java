/** Logging: warnings to stderr, everything else to files of the data directory, never anything to stdout. */
@NullMarked
package dev.assay.cli.log;

import org.jspecify.annotations.NullMarked;

/** Logging: warnings to stderr, everything else to files of the data directory, never anything to stdout. */
@NullMarked
package dev.assay.standalone.log;

import org.jspecify.annotations.NullMarked;

/** Campaign files, read from disk with everything they refer to inlined, as the API takes them. */
@NullMarked
package dev.assay.cli.file;

import org.jspecify.annotations.NullMarked;

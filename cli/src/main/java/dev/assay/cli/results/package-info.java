/** Finished results of other tools: their files are opened, read and sent. */
@NullMarked
package dev.assay.cli.results;

import org.jspecify.annotations.NullMarked;

/** Files of finished results of other tools: they are opened, told apart and counted. */
@NullMarked
package dev.assay.cli.results;

import org.jspecify.annotations.NullMarked;

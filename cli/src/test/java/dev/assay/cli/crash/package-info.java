/** Kills processes of a running Assay and looks at what is left. */
@NullMarked
package dev.assay.cli.crash;

import org.jspecify.annotations.NullMarked;

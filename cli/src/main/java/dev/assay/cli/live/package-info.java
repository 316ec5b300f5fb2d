/** The live view of campaigns in a terminal: lines that fit it, and the screen on which they are drawn. */
@NullMarked
package dev.assay.cli.live;

import org.jspecify.annotations.NullMarked;

/** Tests of the module as a whole: its layers and its launcher. */
@NullMarked
package dev.assay.cli;

import org.jspecify.annotations.NullMarked;

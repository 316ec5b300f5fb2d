/** Tests of {@code dev.assay.cli.terminal}. */
@NullMarked
package dev.assay.cli.terminal;

import org.jspecify.annotations.NullMarked;

/** Tests of {@code dev.assay.cli.option}. */
@NullMarked
package dev.assay.cli.option;

import org.jspecify.annotations.NullMarked;

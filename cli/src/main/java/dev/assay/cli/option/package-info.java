/** Options that several commands take, and their effects. */
@NullMarked
package dev.assay.cli.option;

import org.jspecify.annotations.NullMarked;

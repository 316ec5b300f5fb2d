/** Options that several commands take, and what follows from them. */
@NullMarked
package dev.assay.cli.option;

import org.jspecify.annotations.NullMarked;

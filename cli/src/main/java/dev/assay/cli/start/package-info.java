/** Starting while what Assay stands on is still starting too. */
@NullMarked
package dev.assay.cli.start;

import org.jspecify.annotations.NullMarked;

/** Tests of batches of providers. */
@NullMarked
package dev.assay.cli.delivery;

import org.jspecify.annotations.NullMarked;

/** Where the metrics of all parts of this process come together (docs/operations.md). */
@NullMarked
package dev.assay.cli.metrics;

import org.jspecify.annotations.NullMarked;

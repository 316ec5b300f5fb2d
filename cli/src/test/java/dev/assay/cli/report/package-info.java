/** Tests of what a terminal shows. */
@NullMarked
package dev.assay.cli.report;

import org.jspecify.annotations.NullMarked;

/** Tests of what a terminal shows. */
@NullMarked
package dev.assay.cli.report.run;

import org.jspecify.annotations.NullMarked;

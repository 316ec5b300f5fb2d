/** The output on a terminal: progress, result tables, the rule that decided. */
@NullMarked
package dev.assay.cli.report;

import org.jspecify.annotations.NullMarked;

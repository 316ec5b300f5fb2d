/** The files of a run: summary, artifacts of trials, JUnit, Markdown. */
@NullMarked
package dev.assay.cli.report.run;

import org.jspecify.annotations.NullMarked;

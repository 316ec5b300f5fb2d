/** What a run leaves behind beside its table: summary, artifacts of trials, JUnit, Markdown. */
@NullMarked
package dev.assay.cli.report.run;

import org.jspecify.annotations.NullMarked;

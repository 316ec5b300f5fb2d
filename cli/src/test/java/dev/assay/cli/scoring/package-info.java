/** Stored answers that are judged anew, from the command to the report. */
@NullMarked
package dev.assay.cli.scoring;

import org.jspecify.annotations.NullMarked;

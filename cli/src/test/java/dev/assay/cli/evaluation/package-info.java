/** Evaluations from HTTP to the model and back. */
@NullMarked
package dev.assay.cli.evaluation;

import org.jspecify.annotations.NullMarked;

/** Evaluations: one prompt, several branches, one answer; continued, cancelled and watched. */
@NullMarked
package dev.assay.web.evaluation;

import org.jspecify.annotations.NullMarked;

/** The similarity of two texts, by measures of machine translation and summaries. Formulas only. */
@NullMarked
package dev.assay.domain.similarity;

import org.jspecify.annotations.NullMarked;

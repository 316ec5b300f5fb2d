/** How alike two texts are, as the measures of machine translation and summaries say it. Formulas only. */
@NullMarked
package dev.assay.domain.similarity;

import org.jspecify.annotations.NullMarked;

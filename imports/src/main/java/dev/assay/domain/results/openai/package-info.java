/** Saved objects of the Evals API of OpenAI. Pure. */
@NullMarked
package dev.assay.domain.results.openai;

import org.jspecify.annotations.NullMarked;

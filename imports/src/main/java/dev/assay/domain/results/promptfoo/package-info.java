/** Results of promptfoo. Pure. */
@NullMarked
package dev.assay.domain.results.promptfoo;

import org.jspecify.annotations.NullMarked;

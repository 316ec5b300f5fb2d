/** Reads the configurations of promptfoo, and writes them as campaign files. Settled by what promptfoo 0.121 does. */
@NullMarked
package dev.assay.domain.promptfoo;

import org.jspecify.annotations.NullMarked;

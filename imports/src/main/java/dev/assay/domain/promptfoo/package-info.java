/** Configurations of promptfoo, read and written as campaign files. The behaviour is that of promptfoo 0.121. */
@NullMarked
package dev.assay.domain.promptfoo;

import org.jspecify.annotations.NullMarked;

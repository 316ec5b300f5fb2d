/** The compaction of long conversations to a model's window. Records keep them whole. */
@NullMarked
package dev.assay.domain.compaction;

import org.jspecify.annotations.NullMarked;

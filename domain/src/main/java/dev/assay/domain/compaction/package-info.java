/** Makes long conversations fit a model's window. Records keep them whole. */
@NullMarked
package dev.assay.domain.compaction;

import org.jspecify.annotations.NullMarked;

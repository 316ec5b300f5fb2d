/** Makes long conversations fit a model's window. What is recorded stays as it was said. */
@NullMarked
package dev.assay.domain.compaction;

import org.jspecify.annotations.NullMarked;

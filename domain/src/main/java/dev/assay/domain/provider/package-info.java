/** Providers as campaigns see them: names, prices and limits, never keys; and which of them a worker can ask. */
@NullMarked
package dev.assay.domain.provider;

import org.jspecify.annotations.NullMarked;

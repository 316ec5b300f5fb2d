/** Providers as campaigns see them: names, prices and limits, never keys. */
@NullMarked
package dev.assay.domain.provider;

import org.jspecify.annotations.NullMarked;

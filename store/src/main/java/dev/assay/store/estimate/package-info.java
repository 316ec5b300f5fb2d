/** Records of earlier campaigns from which a new one is planned. */
@NullMarked
package dev.assay.store.estimate;

import org.jspecify.annotations.NullMarked;

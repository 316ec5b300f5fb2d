/** The formats in which providers are asked and answer, the way to their servers, and the classes of their failures. */
@NullMarked
package dev.assay.activities.provider.wire;

import org.jspecify.annotations.NullMarked;

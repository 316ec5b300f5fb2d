/** From trials to pass rates to a verdict (semantics B). */
@NullMarked
package dev.assay.domain.gate;

import org.jspecify.annotations.NullMarked;

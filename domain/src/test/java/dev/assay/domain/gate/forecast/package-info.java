/** Tests of the package of the same name. */
@NullMarked
package dev.assay.domain.gate.forecast;

import org.jspecify.annotations.NullMarked;

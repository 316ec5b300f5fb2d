/** Rules of the gate, and the verdicts that follow from pass rates (semantics B). */
@NullMarked
package dev.assay.domain.gate;

import org.jspecify.annotations.NullMarked;

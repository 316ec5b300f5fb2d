/** Rules of the gate, and the verdicts that follow from pass rates (docs/fastskill.md). */
@NullMarked
package dev.assay.domain.gate;

import org.jspecify.annotations.NullMarked;

/** Tests of formulas against published values. */
@NullMarked
package dev.assay.domain.statistics;

import org.jspecify.annotations.NullMarked;

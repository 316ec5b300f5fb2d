/** Compares two campaigns or branches on the cases that they share: how much they differ, and whether chance explains it. Pure. */
@NullMarked
package dev.assay.domain.statistics.comparison;

import org.jspecify.annotations.NullMarked;

/**
 * The comparison of two campaigns or branches on the cases that they share: the differences, and whether chance explains them.
 * Pure.
 */
@NullMarked
package dev.assay.domain.statistics.comparison;

import org.jspecify.annotations.NullMarked;

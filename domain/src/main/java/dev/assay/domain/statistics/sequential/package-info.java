/** Numbers that may be looked at while they grow, without the looks making them wrong. Pure. */
@NullMarked
package dev.assay.domain.statistics.sequential;

import org.jspecify.annotations.NullMarked;

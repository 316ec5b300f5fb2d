/** How far a judge can be believed: what it does with places, and how it compares with people. Pure. */
@NullMarked
package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.NullMarked;

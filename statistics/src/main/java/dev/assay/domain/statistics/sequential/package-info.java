/** Numbers that stay valid however often they are looked at while they grow. Pure. */
@NullMarked
package dev.assay.domain.statistics.sequential;

import org.jspecify.annotations.NullMarked;

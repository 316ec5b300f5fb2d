/** The functions of the reference implementation by their names, in terms of ours. Tests only. */
@NullMarked
package dev.assay.domain.statistics.reference;

import org.jspecify.annotations.NullMarked;

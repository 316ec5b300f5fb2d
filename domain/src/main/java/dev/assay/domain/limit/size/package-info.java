/** The units that requests spend: estimates before they are sent, and what their answers put right. */
@NullMarked
package dev.assay.domain.limit.size;

import org.jspecify.annotations.NullMarked;

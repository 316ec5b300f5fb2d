/** Rules on answers that are JSON, XML or HTML, or hold some. */
@NullMarked
package dev.assay.domain.check.structure;

import org.jspecify.annotations.NullMarked;

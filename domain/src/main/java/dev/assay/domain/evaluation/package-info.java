/** What one trial produces: outcomes, and the selection of a winner among them. */
@NullMarked
package dev.assay.domain.evaluation;

import org.jspecify.annotations.NullMarked;

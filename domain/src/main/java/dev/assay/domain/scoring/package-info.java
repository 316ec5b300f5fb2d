/** What other evaluators say of answers that are stored: the report of a scoring. */
@NullMarked
package dev.assay.domain.scoring;

import org.jspecify.annotations.NullMarked;

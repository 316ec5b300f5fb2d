/** What decides on answers, under names that differ where verdicts may. */
@NullMarked
package dev.assay.domain.evaluator;

import org.jspecify.annotations.NullMarked;

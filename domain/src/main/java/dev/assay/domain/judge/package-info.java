/** The prompts of judges, the reading of their replies, and the count of votes (docs/judging.md). */
@NullMarked
package dev.assay.domain.judge;

import org.jspecify.annotations.NullMarked;

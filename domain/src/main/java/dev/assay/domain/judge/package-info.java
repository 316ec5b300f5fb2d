/** The prompts of judges, the reading of their replies, and the count of votes (semantics A3 and A4). */
@NullMarked
package dev.assay.domain.judge;

import org.jspecify.annotations.NullMarked;

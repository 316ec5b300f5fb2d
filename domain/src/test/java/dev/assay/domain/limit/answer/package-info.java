/** Answers of providers. */
@NullMarked
package dev.assay.domain.limit.answer;

import org.jspecify.annotations.NullMarked;

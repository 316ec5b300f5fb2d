/** Limits and waits in answers of providers: in their headers, and in the words of refusals. All of it is a stranger's text. */
@NullMarked
package dev.assay.domain.limit.answer;

import org.jspecify.annotations.NullMarked;

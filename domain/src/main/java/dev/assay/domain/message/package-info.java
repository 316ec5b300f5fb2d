/** Conversations: messages and their content blocks. Providers and stores translate from and to these. */
@NullMarked
package dev.assay.domain.message;

import org.jspecify.annotations.NullMarked;

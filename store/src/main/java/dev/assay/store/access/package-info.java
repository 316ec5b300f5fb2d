/** Tokens of the API, and the audit of what changed. */
@NullMarked
package dev.assay.store.access;

import org.jspecify.annotations.NullMarked;

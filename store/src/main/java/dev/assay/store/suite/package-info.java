/** Suites and their cases, stored once for each content. */
@NullMarked
package dev.assay.store.suite;

import org.jspecify.annotations.NullMarked;

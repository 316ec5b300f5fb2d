/** What decided on answers, by its hash. */
@NullMarked
package dev.assay.store.evaluator;

import org.jspecify.annotations.NullMarked;

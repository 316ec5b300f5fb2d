/** The address of what decided on answers. */
@NullMarked
package dev.assay.web.evaluator;

import org.jspecify.annotations.NullMarked;

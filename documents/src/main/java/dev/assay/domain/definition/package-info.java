/** Patterns, schemas, templates and paths as documents bring them, and who says whether they can be used. */
@NullMarked
package dev.assay.domain.definition;

import org.jspecify.annotations.NullMarked;

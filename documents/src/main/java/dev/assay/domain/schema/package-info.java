/** JSON Schemas of users, bounded: applied in counted steps, with a typed verdict. */
@NullMarked
package dev.assay.domain.schema;

import org.jspecify.annotations.NullMarked;

/** The one JSON codec of the product. Everything that crosses HTTP, JSONB or a file goes through it. */
@NullMarked
package dev.assay.domain.json;

import org.jspecify.annotations.NullMarked;

/** XML, HTML and JSON inside of texts that models write. */
@NullMarked
package dev.assay.domain.markup;

import org.jspecify.annotations.NullMarked;

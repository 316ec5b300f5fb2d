/** Documents about the interface itself. */
@NullMarked
package dev.assay.web.document;

import org.jspecify.annotations.NullMarked;

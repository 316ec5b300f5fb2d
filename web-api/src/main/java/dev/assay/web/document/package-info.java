/** The documents that requests bring, and the one about the interface itself. */
@NullMarked
package dev.assay.web.document;

import org.jspecify.annotations.NullMarked;

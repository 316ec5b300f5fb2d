/** Which tool wrote a file of results, by its content. Pure. */
@NullMarked
package dev.assay.domain.results.format;

import org.jspecify.annotations.NullMarked;

/** Results in open forms that other tools read. Pure. */
@NullMarked
package dev.assay.domain.export;

import org.jspecify.annotations.NullMarked;

/** Rules on the text of an answer. */
@NullMarked
package dev.assay.domain.check.text;

import org.jspecify.annotations.NullMarked;

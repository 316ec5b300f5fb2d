/** Small rules on plain text that several packages share. Pure functions of strings. */
@NullMarked
package dev.assay.domain.text;

import org.jspecify.annotations.NullMarked;

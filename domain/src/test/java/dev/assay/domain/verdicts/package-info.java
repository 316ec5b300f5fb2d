/** The verdicts that may not change under one number. */
@NullMarked
package dev.assay.domain.verdicts;

import org.jspecify.annotations.NullMarked;

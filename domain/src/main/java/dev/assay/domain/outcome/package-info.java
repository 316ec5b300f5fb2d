/** The product of one branch in one trial, its end, and the consequence of a failed attempt. */
@NullMarked
package dev.assay.domain.outcome;

import org.jspecify.annotations.NullMarked;

/** Rules on how an answer came about: what it took, which tools were called, what a program did. */
@NullMarked
package dev.assay.domain.check.run;

import org.jspecify.annotations.NullMarked;

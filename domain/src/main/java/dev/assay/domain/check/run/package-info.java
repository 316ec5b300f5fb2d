/** Rules on how an answer came about: its usage, the tools that were called, the actions of a program. */
@NullMarked
package dev.assay.domain.check.run;

import org.jspecify.annotations.NullMarked;

/** Checks that the user's own code decides: what is written, and what a reply of the code comes to. Processes run it elsewhere. */
@NullMarked
package dev.assay.domain.check.code;

import org.jspecify.annotations.NullMarked;

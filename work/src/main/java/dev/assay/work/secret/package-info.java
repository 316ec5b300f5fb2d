/** The variables of this process that hold secrets, and the files beside them. */
@NullMarked
package dev.assay.work.secret;

import org.jspecify.annotations.NullMarked;

/** Errors as HTTP clients get them: problem documents with a stable code, and an id that the log repeats. */
@NullMarked
package dev.assay.web.problem;

import org.jspecify.annotations.NullMarked;

/** The tasks of compute processes: what is untrusted, what is asked of it, and what comes back. */
@NullMarked
package dev.assay.work.compute;

import org.jspecify.annotations.NullMarked;

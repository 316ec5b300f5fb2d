/** The worker's computing in compute processes, and what is recorded of it. */
@NullMarked
package dev.assay.activities.compute;

import org.jspecify.annotations.NullMarked;

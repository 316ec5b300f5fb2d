/** What users ask of campaigns that exist: pause, resume, cancel, other limits, more trials, a re-run. */
@NullMarked
package dev.assay.store.steering;

import org.jspecify.annotations.NullMarked;

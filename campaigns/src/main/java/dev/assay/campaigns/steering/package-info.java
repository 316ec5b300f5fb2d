/** The requests of users to existing campaigns: pause, resume, cancel, other limits, more trials, a re-run. */
@NullMarked
package dev.assay.campaigns.steering;

import org.jspecify.annotations.NullMarked;

/** The workflow that runs a slice of a campaign, and the activities it calls. */
@NullMarked
package dev.assay.workflows.slice;

import org.jspecify.annotations.NullMarked;

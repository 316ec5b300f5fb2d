/** Names that Temporal keeps: task queues and workflow ids. */
@NullMarked
package dev.assay.workflows;

import org.jspecify.annotations.NullMarked;

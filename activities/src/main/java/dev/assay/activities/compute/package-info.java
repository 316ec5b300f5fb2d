/** The threads on which a worker computes on input from models, tools and campaign files. Threads that wait for others are separate. */
@NullMarked
package dev.assay.activities.compute;

import org.jspecify.annotations.NullMarked;
